import { afterEach, describe, expect, it } from "vitest";
import { SendFailure } from "../../../src/core/send-failure.ts";
import { createMailer, type MailerOptions } from "../../../src/mail/mailer.ts";
import { createCertificate, hasOpenssl } from "../../support/certificates.ts";
import { type MailServer, startMailServer } from "../../support/mail-server.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.close();
});

async function serve(options: Parameters<typeof startMailServer>[0] = {}): Promise<MailServer> {
  const server = await startMailServer(options);
  open.push(server);
  return server;
}

function mailer(smtpUrl: string, options: Partial<MailerOptions> = {}) {
  const made = createMailer({ smtpUrl, requireTls: false, from: { name: "Parley", address: "p@x.test" }, ...options });
  open.push(made);
  return made;
}

const MAIL = { to: "ann@example.com", subject: "Hello", text: "A line.\n", id: "one" };

async function failureOf(work: Promise<void>): Promise<SendFailure> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SendFailure);
  return error as SendFailure;
}

describe("a mailer", () => {
  it("hands a plain text with sender, subject and a stable id to the mail server", async () => {
    const server = await serve();
    await mailer(`smtp://127.0.0.1:${server.port}`).send({ ...MAIL, subject: "Größe", text: "Zoë – ok\n" });
    const [mail] = server.mails;
    expect(mail).toMatchObject({ to: ["ann@example.com"], from: "p@x.test", text: "Zoë – ok\n" });
    expect(mail?.header("Subject")).toBe("Größe");
    expect(mail?.header("From")).toBe("Parley <p@x.test>");
    expect(mail?.header("Message-ID")).toBe("<one@x.test>");
    expect(mail?.header("Auto-Submitted")).toBe("auto-generated");
  });

  it("starts no header and no second recipient with the text of a subject or an address", async () => {
    const server = await serve();
    const { send } = mailer(`smtp://127.0.0.1:${server.port}`);
    await send({ ...MAIL, subject: "Hi\r\nBcc: eve@example.com\n\nbody\u2028x\u0000" });
    const [mail] = server.mails;
    expect(mail?.to).toEqual(["ann@example.com"]);
    expect(mail?.raw).not.toMatch(/^Bcc:/im);
    expect(mail?.header("Subject")).toBe("Hi Bcc: eve@example.com body x");
    for (const to of ["ann@example.com>\r\nRCPT TO:<eve@example.com", "<eve@example.com>"])
      expect((await failureOf(send({ ...MAIL, to }))).permanent).toBe(true);
    await send({ ...MAIL, to: "ann,eve@example.com" });
    expect(server.mails.map(({ to }) => to)).toEqual([["ann@example.com"], ['"ann,eve"@example.com']]);
  });

  it("distinguishes a refused recipient from a server that is down or refuses the password", async () => {
    const server = await serve({ account: { user: "u", password: "p@ss" } });
    const url = (password: string) => `smtp://u:${password}@127.0.0.1:${server.port}`;
    await mailer(url("p%40ss")).send(MAIL);
    expect(server.mails).toMatchObject([{ user: "u" }]);
    server.refuse.set(MAIL.to, { responseCode: 550, message: "No such person" });
    expect(await failureOf(mailer(url("p%40ss")).send(MAIL))).toMatchObject({ permanent: true });
    server.refuse.set(MAIL.to, { responseCode: 451, message: "Greylisted" });
    expect(await failureOf(mailer(url("p%40ss")).send(MAIL))).toMatchObject({ permanent: false });
    const wrong = await failureOf(mailer(url("hush-hush")).send(MAIL));
    expect(wrong.permanent).toBe(false);
    expect(wrong.message).toContain("[redacted]");
    expect(wrong.message).not.toContain("hush-hush");
    const down = await failureOf(mailer("smtp://127.0.0.1:1").verify());
    expect(down).toMatchObject({ permanent: false, message: expect.stringContaining("ECONNREFUSED") });
  });
});

describe.skipIf(!hasOpenssl())("a mailer that requires TLS (needs the openssl command)", () => {
  it("sends over TLS from the start or by STARTTLS, and nothing without it or with a wrong certificate", async () => {
    const { ca, ...tls } = createCertificate("IP:127.0.0.1");
    const elsewhere = createCertificate("DNS:mail.example.com");
    const required = { requireTls: true, dangerousOnlyCa: ca };
    const offering = await serve({ tls, encryption: "offer" });
    const starting = await serve({ tls, encryption: "start" });
    await mailer(`smtp://127.0.0.1:${offering.port}`, required).send(MAIL);
    await mailer(`smtps://127.0.0.1:${starting.port}`, required).send(MAIL);
    expect([...offering.mails, ...starting.mails]).toMatchObject([{ secure: true }, { secure: true }]);

    const plain = await serve();
    const stripped = await failureOf(mailer(`smtp://127.0.0.1:${plain.port}`, required).send(MAIL));
    const unknown = await failureOf(mailer(`smtp://127.0.0.1:${offering.port}`, { requireTls: true }).send(MAIL));
    const others = await serve({ tls: elsewhere, encryption: "start" });
    const trusted = { requireTls: true, dangerousOnlyCa: elsewhere.ca };
    const misnamed = await failureOf(mailer(`smtps://127.0.0.1:${others.port}`, trusted).send(MAIL));
    expect([stripped, unknown, misnamed].map(({ permanent }) => permanent)).toEqual([false, false, false]);
    expect([plain.mails, others.mails]).toEqual([[], []]);
    expect(offering.mails).toHaveLength(1);
  });
});
