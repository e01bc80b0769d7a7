interface Unpacked {
  home: string;
  env: Record<string, string>;
}

const { unpackDebianPackage } = (await import(new URL("./debian-packages.mjs", import.meta.url).href)) as {
  unpackDebianPackage: (name: string) => Promise<Unpacked>;
};

/** A tool of Debian's, unpacked; where it cannot be had, why: a test that needs it is skipped with these words. */
export type DebianPackage = (Unpacked & { missing: "" }) | { home: null; env: Record<string, string>; missing: string };

export async function debianPackage(name: string): Promise<DebianPackage> {
  try {
    return { ...(await unpackDebianPackage(name)), missing: "" };
  } catch (error) {
    const [why] = (error as Error).message.split("\n");
    return { home: null, env: {}, missing: `Debian's ${name} cannot be had here: ${why}` };
  }
}
