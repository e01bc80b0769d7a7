import { describe, expect, it } from "vitest";
import { ConfigError, readConfig, SETTINGS } from "../../../src/config/index.ts";
import { mailConfigOf } from "../../../src/config/mail.ts";

const NOTHING = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, ""]));
const WHOLE = {
  PARLEY_SMTP_URL: "smtp://user:hush@mail.example.com:587",
  PARLEY_MAIL_FROM: "Parley <alerts@example.com>",
  PARLEY_PUBLIC_URL: "https://chat.example.com",
};

function read(given: Record<string, string>): unknown {
  try {
    return mailConfigOf(readConfig({ ...NOTHING, ...given }));
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).problems;
  }
}

describe("the settings of e-mail", () => {
  it("are absent, or whole", () => {
    expect(read({})).toBeNull();
    expect(read(WHOLE)).toEqual({
      smtpUrl: WHOLE.PARLEY_SMTP_URL,
      requireTls: true,
      from: { name: "Parley", address: "alerts@example.com" },
      publicUrl: WHOLE.PARLEY_PUBLIC_URL,
    });
    expect(read({ ...WHOLE, PARLEY_MAIL_FROM: "alerts@example.com" })).toMatchObject({
      from: { name: "", address: "alerts@example.com" },
    });
  });

  it.each([
    ["without a sender", { PARLEY_MAIL_FROM: "" }, "PARLEY_SMTP_URL is set and PARLEY_MAIL_FROM is not"],
    ["without a server", { PARLEY_SMTP_URL: "" }, "PARLEY_MAIL_FROM is set and PARLEY_SMTP_URL is not"],
    ["without a public URL", { PARLEY_PUBLIC_URL: "" }, "PARLEY_SMTP_URL needs PARLEY_PUBLIC_URL"],
    [
      "with an unencrypted password",
      { PARLEY_SMTP_TLS: "dangerous-off" },
      "it would be sent unencrypted to another machine",
    ],
    ["with another scheme", { PARLEY_SMTP_URL: "https://mail.example.com" }, "must be an smtp:// or smtps:// URL"],
    ["with a user alone", { PARLEY_SMTP_URL: "smtp://user@mail.example.com" }, "both a user and a password"],
    ["with parameters", { PARLEY_SMTP_URL: "smtp://mail.example.com?tls=no" }, "must not have a path or parameters"],
    ["with two senders", { PARLEY_MAIL_FROM: "a@example.com, b@example.com" }, "must be an e-mail address"],
    ["with a line break in the sender", { PARLEY_MAIL_FROM: "a@example.com\nBcc: b@example.com" }, "must be an e-mail"],
  ])("are refused with a sentence that repeats no password, %s", (_case, change, sentence) => {
    const problems = read({ ...WHOLE, ...change });
    expect(problems).toEqual(expect.arrayContaining([expect.stringContaining(sentence)]));
    expect(JSON.stringify(problems)).not.toContain("hush");
  });
});
