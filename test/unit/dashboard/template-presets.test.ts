import { expect, it } from "vitest";
import { PRESETS, textFor } from "../../../dashboard/src/pages/webhooks/form/template-presets.ts";
import { renderTemplate, templateProblems } from "../../../src/webhooks/template.ts";

const HOSTILE = "<!channel> <https://evil.test|bank.test> @channel [bank.test](https://evil.test) [bank.test][1]";
const event = {
  type: HOSTILE,
  data: {
    id: HOSTILE,
    name: HOSTILE,
    email: HOSTILE,
    body: HOSTILE,
    subject: HOSTILE,
    status: HOSTILE,
    sender: { name: HOSTILE },
    contact: { name: HOSTILE },
  },
  actor: { name: HOSTILE },
};
/** What each chat would read as more than text. */
const MARKUP: Record<string, RegExp> = {
  Slack: /[<>]/,
  Discord: /@\w|\][[(]/,
  Teams: /@\w|\][[(]/,
  Mattermost: /[<>]|@\w|\][[(]/,
};
const EVENTS = [
  ["message.created"],
  ["conversation.created"],
  ["contact.created"],
  ["message.created", "file.created"],
];

it("every value of an event that a preset sends is escaped for its chat", () => {
  for (const { title, escaping, templateFor } of PRESETS)
    for (const events of EVENTS) {
      const template = templateFor(textFor(events, escaping));
      expect(templateProblems(template)).toEqual([]);
      const sent = renderTemplate(template, event)?.json ?? "";
      expect(sent).toContain("bank.test");
      expect(sent).not.toMatch(MARKUP[title] as RegExp);
    }
});
