import { whenUsed } from "./when-used.ts";

/** Code that no page needs until its user does something: loaded at the first sign of use, or when it is first called. */
interface LoadedLater<Module> {
  /** Calls at once where it is loaded. Rejects where it cannot be loaded; the next call tries again. */
  run: <T>(call: (module: Module) => T | Promise<T>) => Promise<T>;
  /** Calls only if it is loaded: while a page closes nothing can be waited for. */
  runNow: (call: (module: Module) => void) => void;
}

export function loadedLater<Module>(load: () => Promise<Module>): LoadedLater<Module> {
  let loaded: Module | null = null;
  const get = async (): Promise<Module> => {
    loaded ??= await load();
    return loaded;
  };
  whenUsed(get);
  return {
    run: async (call) => call(loaded ?? (await get())),
    runNow: (call) => {
      if (loaded) call(loaded);
    },
  };
}
