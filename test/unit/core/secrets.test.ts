import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { createLogger } from "../../../src/core/logger.ts";
import { createSecretBox } from "../../../src/core/secret-box.ts";
import { readOrCreateSecretKey } from "../../../src/core/secret-key-file.ts";

const [OLD, NEW] = ["old-secret-key-of-32-characters-or-more", "new-secret-key-of-32-characters-or-more"] as const;

describe("a secret box", () => {
  it("opens what it sealed, and seals the same text differently each time", () => {
    const box = createSecretBox([NEW]);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (plain, context) => {
        const storable = plain.toWellFormed();
        const sealed = box.seal(storable, context);
        expect(sealed).toMatch(/^[0-9a-f]{8}\.[\w-]+$/);
        expect(box.open(sealed, context)).toBe(storable);
        expect(box.seal(storable, context)).not.toBe(sealed);
      }),
    );
  });

  it("does not open in another context, nor when a byte was changed", () => {
    const box = createSecretBox([NEW]);
    const sealed = box.seal("secret", "row 1");
    expect(() => box.open(sealed, "row 2")).toThrow();
    const changed = sealed.slice(0, -2) + (sealed.endsWith("AA") ? "BB" : "AA");
    expect(() => box.open(changed, "row 1")).toThrow();
    for (const broken of ["", "x", `${box.keyId}.`, `${box.keyId}.AAAA`]) expect(() => box.open(broken, "")).toThrow();
  });

  it("with a new key first still opens what the old one sealed", () => {
    const sealed = createSecretBox([OLD]).seal("secret", "c");
    const both = createSecretBox([NEW, OLD]);
    expect(both.open(sealed, "c")).toBe("secret");
    expect(both.seal("x", "c")).toMatch(new RegExp(`^${createSecretBox([NEW]).keyId}\\.`));
    expect(() => createSecretBox([NEW]).open(sealed, "c")).toThrow(/PARLEY_SECRET_KEY/);
  });

  it("names its keys without revealing them", () => {
    const box = createSecretBox([NEW, OLD]);
    expect(box.keyIds).toHaveLength(2);
    for (const id of box.keyIds) expect(id).toMatch(/^[0-9a-f]{8}$/);
  });
});

describe("the generated secret key", () => {
  const directory = mkdtempSync(join(tmpdir(), "parley-secret-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it("is created once, with mode 0600, whatever the umask", () => {
    const before = process.umask(0);
    const made = readOrCreateSecretKey(join(directory, "data"));
    process.umask(before);
    expect(made.length).toBeGreaterThanOrEqual(32);
    expect(readOrCreateSecretKey(join(directory, "data"))).toBe(made);
    expect(statSync(join(directory, "data", "secret.key")).mode & 0o777).toBe(0o600);
  });

  it("that cannot be read is an error, not a new key", () => {
    mkdirSync(join(directory, "odd", "secret.key"), { recursive: true });
    expect(() => readOrCreateSecretKey(join(directory, "odd"))).toThrow(/EISDIR/);
  });
});

it("the logger redacts what is named like a secret, down to the second level", () => {
  let logged = "";
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged += chunk;
      done();
    },
  });
  const logger = createLogger("info", sink);
  const hidden = {
    authorization: "hush",
    cookie: "hush",
    key: "hush",
    secret: "hush",
    password: "hush",
    token: "hush",
  };
  logger.info({ ...hidden, a: hidden, b: { c: hidden }, fine: "said" }, "message");
  expect(logged).toContain("said");
  expect(logged).not.toContain("hush");
});
