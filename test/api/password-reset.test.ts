import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { mailSettings, PUBLIC_URL, startMailParley, startTestMailServer } from "../support/mail-parley.ts";
import { type MailServer, RETRY_NOW, type ReceivedMail } from "../support/mail-server.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";

const OLIVE = "olive@example.com";
const NEW_PASSWORD = "another long password";

let parley: TestParley;
let mail: MailServer;
let owner: Browser;
beforeAll(async () => {
  ({ parley, mail } = await startMailParley());
  owner = await setUp(parley, {}, PUBLIC_URL);
});
afterAll(async () => {
  await parley.close();
  await mail.close();
});

const stranger = () => openBrowser(parley, null, PUBLIC_URL);
const request = (email: string, headers: Record<string, string> = {}) =>
  stranger().call("POST", "/password-reset-request", { email }, headers);
const linksIn = ({ text }: ReceivedMail): string[] => text.match(/https?:\/\/\S+/g) ?? [];
const tokenIn = (received: ReceivedMail): string =>
  new URL(linksIn(received)[0] as string).searchParams.get("token") as string;
const queued = async () => (await parley.database.query("select 1 from notifications")).length;
const nothingQueued = () => until("the queue is empty", async () => (await queued()) === 0);
const forgetLinks = () => parley.database.query("delete from password_resets");

/** The newest link that was sent to Olive. */
async function newLink(): Promise<string> {
  const before = mail.to(OLIVE).length;
  await request(OLIVE);
  return tokenIn((await mail.waitFor(before + 1, OLIVE)).at(-1) as ReceivedMail);
}

describe("a forgotten password", () => {
  it("is replaced by a link that works once, ends every session, is recorded, and notifies the person", async () => {
    const token = await newLink();
    const sent = mail.to(OLIVE).at(-1) as ReceivedMail;
    expect(sent.header("Subject")).toBe("Set a new password for Parley");
    expect(linksIn(sent)).toEqual([`${PUBLIC_URL}/reset-password?token=${token}`]);
    const stored = await parley.database.query<{ digest: string }>("select digest::text from password_resets");
    expect(JSON.stringify(stored)).not.toContain(token);
    expect((await stranger().call("POST", "/password-reset-check", { token })).status).toBe(200);

    const short = await stranger().call("POST", "/password-reset", { token, password: "short" });
    expect(short.status).toBe(422);
    const replies = await Promise.all(
      [1, 2, 3].map(() => stranger().call("POST", "/password-reset", { token, password: NEW_PASSWORD })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect((await stranger().call("POST", "/password-reset-check", { token })).status).toBe(404);

    expect((await owner.call("GET", "/session")).status).toBe(401);
    const signIn = (password: string) => stranger().call("POST", "/sign-in", { email: OLIVE, password });
    expect((await signIn(PASSWORD)).status).toBe(401);
    owner = stranger();
    expect((await owner.call("POST", "/sign-in", { email: OLIVE, password: NEW_PASSWORD })).status).toBe(200);

    await until("the notice arrived", () => mail.to(OLIVE).some((one) => /was changed/.test(one.header("Subject"))));
    const { body } = await owner.call("GET", "//api/v1/audit-logs?resource_type=user");
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(["user.password_reset_requested", "user.password_reset"]),
    );
    for (const secret of [token, "smtp-hush", NEW_PASSWORD]) expect(parley.logs()).not.toContain(secret);
  });

  it("gets the same response whether the address has an account or not, and mail only with a password", async () => {
    const users = { sso: "sso-only@example.com", alone: "no-workspace@example.com" };
    await parley.database.query(
      `insert into users (uuid, email, name, password_hash) values
         (gen_random_uuid(), '${users.sso}', 'S', null), (gen_random_uuid(), '${users.alone}', 'N', 'x')`,
    );
    await forgetLinks();
    await nothingQueued();
    const before = mail.mails.length;
    const replies = [];
    for (const email of [OLIVE, "nobody@example.com", users.sso, users.alone]) replies.push(await request(email));
    const visible = replies.map(({ status, body, headers }) => {
      const { date: _date, "x-request-id": _id, ...others } = Object.fromEntries(headers);
      return { status, body, headers: others };
    });
    expect(visible[0]).toMatchObject({ status: 202, body: { success: true, data: { accepted: true } } });
    for (const other of visible.slice(1)) expect(other).toEqual(visible[0]);
    await nothingQueued();
    expect(mail.mails.slice(before).map(({ to }) => to)).toEqual([[OLIVE]]);
  });

  it("has a link to the public address, whatever host the request names", async () => {
    await forgetLinks();
    const before = mail.to(OLIVE).length;
    await request(OLIVE, { "x-forwarded-host": "evil.example.com" });
    const received = (await mail.waitFor(before + 1, OLIVE)).at(-1) as ReceivedMail;
    expect(received.raw).not.toContain("evil");
    expect(linksIn(received)[0]).toMatch(/^https:\/\/chat\.example\.com\/reset-password\?token=/);
  });

  it("has links that become invalid when the password changes by other means, and after half an hour", async () => {
    await forgetLinks();
    const changed = await newLink();
    const patch = { password: PASSWORD, current_password: NEW_PASSWORD };
    expect((await owner.call("PATCH", "/profile", patch)).status).toBe(200);
    const late = await newLink();
    await parley.database.query("update password_resets set expires_at = now() - interval '1 second'");
    for (const token of [changed, late])
      expect((await stranger().call("POST", "/password-reset", { token, password: NEW_PASSWORD })).status).toBe(404);
  });

  it("sends three links per hour and person at most, without saying so, and limits requests per address", async () => {
    await forgetLinks();
    const before = mail.to(OLIVE).length;
    for (let n = 0; n < 4; n++) expect((await request(OLIVE)).status).toBe(202);
    await nothingQueued();
    expect(mail.to(OLIVE).length - before).toBe(3);
    let last = await request("nobody@example.com");
    for (let n = 0; n < 20 && last.status === 202; n++) last = await request("nobody@example.com");
    expect(last).toMatchObject({ status: 429, body: { error: { code: "RATE_LIMIT_EXCEEDED" } } });
  });
});

describe("an invitation", () => {
  it("is sent by e-mail too, and names in it start no header", async () => {
    const evil = "Acme\r\nBcc: eve@example.com\r\n\r\nHello";
    await parley.database.query("update workspaces set name = $1", [evil]);
    await parley.database.query("update users set name = $1 where email = $2", ["Olive\nBcc: eve@example.com", OLIVE]);
    const { body } = await owner.call("POST", "/invitations", { email: "ann@example.com", role: "agent" });
    expect(body.data).toMatchObject({ emailed: true, url: expect.stringContaining(`${PUBLIC_URL}/accept-invitation`) });
    const [received] = await mail.waitFor(1, "ann@example.com");
    expect(received?.to).toEqual(["ann@example.com"]);
    expect(received?.raw).not.toMatch(/^Bcc:/im);
    expect(received?.header("Subject")).toBe(
      "Olive Bcc: eve@example.com invited you to Acme Bcc: eve@example.com Hello",
    );
    expect(linksIn(received as ReceivedMail)).toEqual([body.data.url]);
    expect(parley.logs()).not.toContain(new URL(body.data.url).searchParams.get("token"));
  });

  it("waits, sealed, while the mail server is down, outlasts a restart, and is sent once when it is back", async () => {
    await mail.close();
    const { body } = await owner.call("POST", "/invitations", { email: "bob@example.com", role: "agent" });
    await until("an attempt failed", () => parley.logs().includes("could not be sent, retrying"));
    const rows = await parley.database.query("select * from notifications");
    expect(rows).toMatchObject([{ kind: "invitation", recipient: "bob@example.com" }]);
    expect(JSON.stringify(rows)).not.toContain(new URL(body.data.url).searchParams.get("token"));
    await parley.app.close();
    const back = await startTestMailServer({ port: mail.port });
    const again = await startParley(mailSettings(mail.port), parley.database);
    try {
      await parley.database.query(RETRY_NOW);
      await back.waitFor(1, "bob@example.com");
      await nothingQueued();
      expect(back.mails).toHaveLength(1);
      expect(linksIn(back.mails[0] as ReceivedMail)).toEqual([body.data.url]);
    } finally {
      await again.close();
      await back.close();
    }
  });
});

describe("without a mail server", () => {
  it("nobody is offered a reset by e-mail, and invitations are links only", async () => {
    const plain = await startParley();
    try {
      const browser = await setUp(plain);
      expect((await browser.call("GET", "/sign-in-options")).body.data).toMatchObject({ password_reset: false });
      const refused = await browser.call("POST", "/password-reset-request", { email: OLIVE });
      expect(refused).toMatchObject({ status: 409, body: { error: { code: "CONFLICT" } } });
      const { body } = await browser.call("POST", "/invitations", { email: "ann@example.com", role: "agent" });
      expect(body.data).toMatchObject({ emailed: false, url: expect.stringContaining("/accept-invitation?token=") });
      expect(await plain.database.query("select 1 from notifications")).toEqual([]);
    } finally {
      await plain.close();
    }
  });

  it("half of its settings keep Parley from starting, with a sentence", async () => {
    const { PARLEY_MAIL_FROM: _from, ...half } = mailSettings(25);
    await expect(startParley(half, parley.database)).rejects.toThrow(
      "PARLEY_SMTP_URL is set and PARLEY_MAIL_FROM is not",
    );
  });
});
