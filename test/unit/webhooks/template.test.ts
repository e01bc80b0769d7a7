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
  [null, null],
  [true, true],
];

it.each(RENDERED)("the template %j is filled in from the event", (template, expected) => {
  expect(templateProblems(template)).toEqual([]);
  expect(renderTemplate(template, event)?.value).toEqual(expected);
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
  ["a".repeat(16_384), "template must not be larger than 16384 bytes as JSON."],
];

it.each(REFUSED)("the template %j is refused with a sentence that names the place", (template, problem) => {
  expect(templateProblems(template)).toEqual([problem]);
});
