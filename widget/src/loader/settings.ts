import type { WidgetSettings } from "../shared/protocol.ts";

/** The script of the settings calls this with them. */
interface SettingsWindow {
  __parleyWidget?: (settings: WidgetSettings) => void;
}

/**
 * Loads the settings as a script: a page whose policy allows scripts of Parley's origin, or this nonce, need not allow
 * requests to it as well.
 */
export function loadSettings(address: string, nonce: string, signal: AbortSignal): Promise<WidgetSettings> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    const end = () => {
      script.remove();
      delete (window as SettingsWindow).__parleyWidget;
    };
    signal.addEventListener("abort", end, { once: true });
    (window as SettingsWindow).__parleyWidget = (settings) => {
      if (!signal.aborted) resolve(settings);
    };
    script.onload = end;
    script.onerror = () => {
      end();
      reject(new Error(`${address} did not load`));
    };
    script.async = true;
    if (nonce) script.nonce = nonce;
    script.src = trusted(address);
    document.head.append(script);
  });
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): {
    createScriptURL(url: string): string;
  };
}

/** Where the page requires trusted types, an address of a script needs a policy, which the page may refuse by its name. */
function trusted(address: string): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  try {
    return trustedTypes?.createPolicy("parley", { createScriptURL: (url) => url }).createScriptURL(address) ?? address;
  } catch {
    return address;
  }
}
