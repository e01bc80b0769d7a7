import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const { unpackDebianPackage } = (await import(new URL("../../support/debian-packages.mjs", import.meta.url).href)) as {
  unpackDebianPackage: (name: string) => Promise<{ home: string }>;
};

const NAME = `parley-test-package-${process.pid}`;

/** As apt-get is about a package that is installed on the machine, while its lists are empty and after their update. */
const APT_GET = (folder: string) => `#!/bin/sh
case "$*" in
  *" update") touch ${folder}/lists ;;
  *--simulate*) if [ -e ${folder}/lists ]; then echo "Inst ${NAME} [1.0]"; else echo "cannot be downloaded"; fi ;;
  *" download ${NAME}") echo fetched >> ${folder}/downloads; touch ${NAME}.deb ;;
  *) echo "E: Handler silently failed" >&2; exit 100 ;;
esac
`;
const DPKG_DEB = '#!/bin/sh\nmkdir -p "$3/usr/bin"\n';

let folder: string;
let path: string | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-debian-"));
  for (const [name, text] of Object.entries({ "apt-get": APT_GET(folder), "dpkg-deb": DPKG_DEB })) {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
  }
  path = process.env.PATH;
  process.env.PATH = `${folder}:${path}`;
});
afterAll(() => {
  process.env.PATH = path;
  rmSync(folder, { recursive: true, force: true });
});

describe("a tool from Debian's packages", () => {
  it("is fetched once by files that need it at the same time, also where the machine has it installed", async () => {
    const found = await Promise.all([unpackDebianPackage(NAME), unpackDebianPackage(NAME)]);
    const home = found[0].home;
    expect(found[1].home).toBe(home);
    expect(existsSync(join(home, "usr/bin"))).toBe(true);
    rmSync(home, { recursive: true, force: true });
    expect(readFileSync(join(folder, "downloads"), "utf8")).toBe("fetched\n");
  });
});
