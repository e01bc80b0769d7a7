import { expect, it } from "vitest";
import { renderTemplate, templateProblems } from "../../../src/webhooks/template.ts";

const event = {
  id: "evt_1",
  type: "message.created",
  data: { seq: 7, body: "Hello", assignee: null, labels: ["a", "b"], attachments: [{ name: "x.png" }] },
  actor: { type: "contact", id: 3, name: null },
};

const RENDERED: [template: unknown, expected: unknown][] = [
  ["{{ data.seq }}", 7],
  ["{{data.labels}}", ["a", "b"]],
  ["{{ data.attachments.0.name }}", "x.png"],
  ["{{ data.attachments.1.name }}", null],
  ["{{ data.labels.length }}", null],
  ["{{ data.constructor }}", null],
  ["{{ data.nothing }}", null],
  ["No. {{ data.seq }}: {{ data.body }}", "No. 7: Hello"],
  [" {{ data.seq }}", " 7"],
  ["{{ data.assignee }}{{ data.nothing }}!", "!"],
  ["labels {{ data.labels }}", 'labels ["a","b"]'],
  [
    { text: "{{ type }}", "{{ type }}": null, list: [1, "{{ id }}"] },
    { text: "message.created", "{{ type }}": null, list: [1, "evt_1"] },
  ],
  ["{{ data.seq | slack }}", "7"],
  ["{{data.nothing | slack}}", ""],
  [null, null],
  [true, true],
];

it.each(RENDERED)("the template %j is filled in from the event", (template, expected) => {
  expect(templateProblems(template)).toEqual([]);
  expect(renderTemplate(template, event)?.value).toEqual(expected);
});

const HOSTILE = "<!channel> @all <@U1> <https://evil.test|bank.test> [bank.test](https://evil.test) &lt;!here>";

const ESCAPED: [escape: string, expected: string][] = [
  [
    "slack",
    "&lt;!channel&gt; @all &lt;@U1&gt; &lt;https://evil.test|bank.test&gt; [bank.test](https://evil.test) &amp;lt;!here&gt;",
  ],
  [
    "markdown",
    "<!channel> @\u200ball <@\u200bU1> <https://evil.test|bank.test> [bank.test]\u200b(https://evil.test) &lt;!here>",
  ],
  [
    "mattermost",
    "&lt;!channel&gt; @\u200ball &lt;@\u200bU1&gt; &lt;https://evil.test|bank.test&gt; [bank.test]\u200b(https://evil.test) &amp;lt;!here&gt;",
  ],
];

it.each(ESCAPED)("a text with the escape %s calls nobody and hides no link where it is sent", (escaping, expected) => {
  const rendered = renderTemplate(`{{ data.body | ${escaping} }}`, { data: { body: HOSTILE } });
  expect(rendered?.value).toBe(expected);
  const within = renderTemplate(`Ada: {{data.body | ${escaping}}}`, { data: { body: HOSTILE } });
  expect(within?.value).toBe(`Ada: ${expected}`);
});

it("a template that was stored with a bar in the name of a member still finds it", () => {
  const value = renderTemplate("{{ data.a | b }} {{ data.a|b }}", { data: { "a | b": 1, "a|b": 2 } })?.value;
  expect(value).toBe("1 2");
});

const large = { ...event, data: { body: "x".repeat(65_536), mail: "é".repeat(131_072) } };

it.each([
  [Array(1_000).fill("{{ data }}")],
  ["{{ data.body }}".repeat(1_000)],
  [{ whole: Array(4).fill("{{ data.body }}") }],
  ["{{ data.mail }}{{ data.mail }}"],
])("a template that makes more than 256 KiB makes nothing, and takes no longer than reading the event", (template) => {
  const startedAt = process.cpuUsage();
  for (let round = 0; round < 10; round++) expect(renderTemplate(template, large)).toBeNull();
  expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(500);
});

it("a template may make exactly 256 KiB of JSON and not a byte more", () => {
  const ofLength = (length: number) => renderTemplate("{{ data.body }}", { data: { body: "x".repeat(length) } });
  expect(ofLength(262_142)?.json).toHaveLength(262_144);
  expect(ofLength(262_143)).toBeNull();
});

const REFUSED: [template: unknown, problem: string][] = [
  [{ text: "{{ dat.body }}" }, 'template.text names "dat", which no event has. Did you mean data?'],
  [["a", "{{ data.body"], "template[1] has a {{ without its }}."],
  ["{{ }}", "template has a placeholder without a path: {{}}."],
  ["{{ data..body }}", "template has a placeholder without a path: {{data..body}}."],
  ["{{ data.body | slak }}", 'template names the escape "slak", which there is not. Did you mean slack?'],
  ["{{ dat.body | slack }}", 'template names "dat", which no event has. Did you mean data?'],
  ["{{ | slack }}", "template has a placeholder without a path: {{}}."],
  ["a".repeat(16_384), "template must not be larger than 16384 bytes as JSON."],
];

it.each(REFUSED)("the template %j is refused with a sentence that names the place", (template, problem) => {
  expect(templateProblems(template)).toEqual([problem]);
});
