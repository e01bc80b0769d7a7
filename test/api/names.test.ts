import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
let owner: Browser;
beforeAll(async () => {
  parley = await startParley();
  owner = await setUp(parley);
});
afterAll(() => parley.close());

const PROBLEM = "name must not contain control characters.";
/** What a terminal, a mail or a list would obey instead of showing it. */
const HOSTILE = [
  ["an escape sequence", "Ada\u001b[2J"],
  ["a C1 sequence", "Ada\u009b31m"],
  ["a line break", "Ada\nroot"],
  ["a carriage return", "Ada\rroot"],
  ["a bell", "Ada\u0007"],
  ["a delete", "Ada\u007f"],
  ["a line separator", "Ada\u2028root"],
  ["text from right to left", "Ada\u202etoor"],
  ["an isolate", "Ada\u2066toor"],
] as const;

describe("a name", () => {
  it.each(HOSTILE)(
    "with %s is refused for keys, webhooks, widgets, saved replies, workspaces and people",
    async (_what, middle) => {
      const name = `${middle} x`;
      const url = "http://127.0.0.1:9/hook";
      const replies = [
        await parley.call("POST", "/api-keys", { body: { name } }),
        await parley.call("POST", "/webhooks", { body: { name, url, events: ["message.created"] } }),
        await parley.call("POST", "/widgets", { body: { name, allowed_origins: ["https://shop.example"] } }),
        await parley.call("POST", "/saved-replies", { body: { name, body: "x" } }),
        await owner.call("POST", "/workspaces", { name }),
        await owner.call("PATCH", "/profile", { name }),
      ];
      expect(replies.map(({ status, body }) => [status, body.error.details])).toEqual(
        Array(6).fill([422, { name: [PROBLEM] }]),
      );
      const invited = await owner.call("POST", "/invitations", { email: "new@example.com", role: "agent" });
      const token = new URL(invited.body.data.url).searchParams.get("token");
      const body = { token, name, password: PASSWORD };
      expect((await openBrowser(parley).call("POST", "/accept-invitation", body)).status).toBe(422);
    },
  );

  it("of a saved reply has a shortcut of which the same holds", async () => {
    for (const shortcut of ["ada\u001b[2J", "ada\u202etoor"]) {
      const reply = await parley.call("POST", "/saved-replies", { body: { name: "x", shortcut, body: "x" } });
      expect([reply.status, reply.body.error?.details]).toEqual([
        422,
        { shortcut: ["shortcut must not contain control characters."] },
      ]);
    }
  });

  it("keeps the letters, marks and joiners of every script", async () => {
    for (const name of ["Zoë 🙂", "می\u200cخواهم", "👩\u200d💻", "日本\u3000語", "e\u0301"]) {
      const reply = await parley.call("POST", "/api-keys", { body: { name } });
      expect([reply.status, reply.body.data?.name]).toEqual([201, name]);
    }
  });

  it("is changed to one of those neither for a key nor for a webhook", async () => {
    const key = await parley.createKey();
    const reply = await parley.call("PATCH", `/api-keys/${key.id}`, { body: { name: "a\u001bb" } });
    expect([reply.status, reply.body.error.details]).toEqual([422, { name: [PROBLEM] }]);
  });
});
