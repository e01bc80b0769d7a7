import { describe, expect, it } from "vitest";
import { createPasswords, passwordProblems } from "../../../src/accounts/passwords.ts";

const { hash: hashPassword, verify: verifyPassword, isOutdated } = createPasswords();
/** For what does not depend on the cost. */
const cheap = createPasswords({ dangerousLogN: 12 });

describe("a stored password", () => {
  it("names OWASP's parameters and verifies", async () => {
    const stored = await hashPassword("correct horse battery");
    expect(stored).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(await verifyPassword(stored, "correct horse battery")).toBe(true);
    expect(await verifyPassword(stored, "correct horse battery ")).toBe(false);
    expect(isOutdated(stored)).toBe(false);
  });

  it("is never the same text twice", async () => {
    expect(await cheap.hash("correct horse battery")).not.toBe(await cheap.hash("correct horse battery"));
  });

  it("is the same however the characters were composed", async () => {
    const stored = await cheap.hash("Zürich-Zürich");
    expect(await cheap.verify(stored, "Zu\u0308rich-Zu\u0308rich")).toBe(true);
  });

  it("of weaker parameters still verifies, and is known as outdated", async () => {
    // scrypt of RFC 7914: "password", "NaCl", N = 1024, r = 8, p = 16.
    const key =
      "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640";
    const base64 = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");
    const stored = `$scrypt$ln=10,r=8,p=16$${base64(Buffer.from("NaCl"))}$${base64(Buffer.from(key, "hex"))}`;
    expect(await verifyPassword(stored, "password")).toBe(true);
    expect(await verifyPassword(stored, "Password")).toBe(false);
    expect(isOutdated(stored)).toBe(true);
  });
});

it("the password of an unknown user takes as long to check as any other, and is never right", async () => {
  const stored = await cheap.hash("correct horse battery");
  // Time of the processor, not of the clock: next to other work a check waits as long as it likes.
  const work = async (text: string | null) => {
    const from = process.cpuUsage();
    for (let i = 0; i < 8; i++) expect(await cheap.verify(text, "a wrong guess")).toBe(false);
    const { user, system } = process.cpuUsage(from);
    return user + system;
  };
  await work(stored);
  const [known, unknown] = [await work(stored), await work(null)];
  // What matters is that neither is a thousandth of the other.
  expect(unknown / known).toBeGreaterThan(0.2);
  expect(unknown / known).toBeLessThan(5);
});

it("two password checks are computed at once, others wait, and those past the queue are refused", async () => {
  const before = process.memoryUsage().rss;
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss - before);
  }, 5);
  const results = await Promise.allSettled(
    Array.from({ length: 70 }, (_, index) =>
      verifyPassword("$scrypt$ln=12,r=8,p=1$AAAA$AAAA", "x", { address: `${index % 2}`, isKnownDevice: false }),
    ),
  );
  clearInterval(watch);
  // Two in flight and 64 waiting.
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(66);
  for (const result of results)
    if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(peak).toBeLessThan(128 * 1024 * 1024);
});

it.each([
  ["123456789", 1],
  ["1234567890", 1],
  ["PassWord123", 1],
  ["q1w2e3r4t5y6", 1],
  ["a phrase of my own", 0],
  ["x".repeat(256), 0],
  ["x".repeat(257), 1],
  ["🔑".repeat(9), 1],
  ["🔑".repeat(10), 0],
])("the password %s has this number of problems: %i", (password, count) => {
  expect(passwordProblems(password)).toHaveLength(count);
});
