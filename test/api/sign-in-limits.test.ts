import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { mailSettings, PUBLIC_URL, startTestMailServer } from "../support/mail-parley.ts";
import type { MailServer } from "../support/mail-server.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { totpCode } from "../support/totp.ts";
import { until } from "../support/wait.ts";

/** Two nodes on one database. */
let nodes: [TestParley, TestParley];
let mail: MailServer;
let owner: Browser;
beforeAll(async () => {
  mail = await startTestMailServer();
  const settings = { ...mailSettings(mail.port), PARLEY_TRUSTED_PROXIES: "127.0.0.1" };
  const first = await startParley(settings);
  owner = await setUp(first, {}, PUBLIC_URL);
  nodes = [first, await startParley(settings, first.database)];
});
afterAll(async () => {
  await nodes?.[1].close();
  await nodes?.[0].close();
  await mail?.close();
});

const at = (number: number, token: string | null = null) =>
  openBrowser(nodes[number % 2] as TestParley, token, PUBLIC_URL);
const from = (ip: string) => ({ "x-forwarded-for": ip });

describe("failed sign-ins", () => {
  it("are counted over all nodes: the eleventh is refused wherever the ten before were sent", async () => {
    const statuses = [];
    for (let guess = 0; guess < 12; guess++) {
      const body = { email: "olive@example.com", password: "wrong wrong wrong" };
      statuses.push((await at(guess).call("POST", "/sign-in", body, from("198.51.100.7"))).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
  });

  it("of one address are counted over all nodes, whomever they name", async () => {
    const statuses = [];
    for (let guess = 0; guess < 22; guess++) {
      const body = { email: `nobody-${guess}@example.com` };
      statuses.push((await at(guess).call("POST", "/password-reset-request", body, from("198.51.100.8"))).status);
    }
    expect(statuses).toEqual([...Array<number>(20).fill(202), 429, 429]);
  });

  it("do not count once the sign-in succeeds, on either node", async () => {
    for (let attempt = 0; attempt < 14; attempt++) {
      const body = { email: "olive@example.com", password: PASSWORD };
      const reply = await at(attempt).call("POST", "/sign-in", body, from("198.51.100.9"));
      expect(reply.status, reply.text).toBe(200);
    }
  });
});

describe("guesses at the second factor of an account", () => {
  const email = "ada@example.com";
  let person: Browser;
  let secret = "";
  let codes: string[] = [];
  let address = 0;
  beforeAll(async () => {
    const invited = await owner.call("POST", "/invitations", { email, role: "agent" });
    const token = new URL(invited.body.data.url).searchParams.get("token");
    person = at(0);
    await person.call("POST", "/accept-invitation", { token, name: "Ada", password: PASSWORD });
    ({ secret } = (await person.call("POST", "/two-factor/totp")).body.data);
    const confirmed = await person.call("POST", "/two-factor/totp/confirm", { code: totpCode(secret, "confirm") });
    codes = confirmed.body.data.recovery_codes;
  });

  /** With the right password, each time from another address and at the other node. */
  async function guess(factor: object) {
    const headers = from(`203.0.113.${++address}`);
    const browser = at(address);
    const { token } = (await browser.call("POST", "/sign-in", { email, password: PASSWORD }, headers)).body.data
      .two_factor;
    return browser.call("POST", "/sign-in/second-factor", { token, ...factor }, headers);
  }
  const endWait = () => nodes[0].database.query("update second_factor_failures set wait_until = now()");
  const waitSeconds = async () => {
    const [row] = await nodes[0].database.query<{ seconds: number }>(
      "select extract(epoch from wait_until - last_failed_at)::int as seconds from second_factor_failures",
    );
    return row?.seconds;
  };

  it("have to wait after ten failures from any addresses, longer each time, also with the right code", async () => {
    for (let number = 0; number < 10; number++) expect((await guess({ code: "000000" })).status).toBe(401);
    const refused = await guess({ code: totpCode(secret, "next") });
    expect(refused.status, refused.text).toBe(429);
    expect(refused.body.error.message).toBe("Too many wrong codes for this account. Wait before trying again.");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(50);
    expect((await guess({ recovery_code: codes[0] })).status).toBe(429);
    const waits = [await waitSeconds()];
    for (let number = 0; number < 8; number++) {
      await endWait();
      expect((await guess({ recovery_code: "aaaaa-bbbbb" })).status).toBe(401);
      waits.push(await waitSeconds());
    }
    expect(waits).toEqual([60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600]);
  });

  it("are reported to the user by one e-mail and under Account security until they dismiss it", async () => {
    const warnings = () =>
      mail.to(email).filter((each) => each.header("subject") === "Wrong codes were entered for your Parley account");
    await until("the e-mail arrives", () => warnings().length > 0);
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]?.text).toContain("10 wrong codes in a row");
    const shown = (await person.call("GET", "/two-factor")).body.data.wrong_codes;
    expect(shown).toEqual({ count: 18, last_at: expect.any(String), last_ip: expect.stringMatching(/^203\.0\.113\./) });
    const dismissed = await person.call("DELETE", "/two-factor/wrong-codes");
    expect(dismissed.body.data.wrong_codes).toBeNull();
  });

  it("begin again at zero after a right code, which is accepted once the wait is over", async () => {
    await endWait();
    expect((await guess({ recovery_code: codes[1] })).status).toBe(200);
    for (let number = 0; number < 9; number++) expect((await guess({ code: "000000" })).status).toBe(401);
    expect((await guess({ recovery_code: codes[2] })).status).toBe(200);
    expect((await person.call("GET", "/two-factor")).body.data.wrong_codes).toBeNull();
  });

  it("all count when they are sent at once: no more than ten are checked", async () => {
    const replies = await Promise.all(Array.from({ length: 16 }, () => guess({ code: "000000" })));
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(6).fill(429)]);
  });
});
