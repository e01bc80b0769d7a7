interface Preset {
  title: string;
  /** What a customer writes must call nobody in the channel, and show where its links lead. */
  escaping: string;
  templateFor: (text: string) => unknown;
}

/** What chat services expect at an incoming webhook, with a line of text that suits the events. */
export const PRESETS: readonly Preset[] = [
  { title: "Slack", escaping: "slack", templateFor: (text) => ({ text }) },
  {
    title: "Discord",
    escaping: "markdown",
    templateFor: (text) => ({ content: text, allowed_mentions: { parse: [] } }),
  },
  { title: "Teams", escaping: "markdown", templateFor: adaptiveCard },
  { title: "Mattermost", escaping: "mattermost", templateFor: (text) => ({ text }) },
];

function adaptiveCard(text: string) {
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [{ type: "TextBlock", text, wrap: true }],
  };
  return { type: "message", attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", content }] };
}

/** The placeholders of these are escaped. */
const TEXTS: readonly [group: string, text: string][] = [
  ["message.", "{{ data.sender.name }}: {{ data.body }}"],
  ["conversation.", "{{ type }}: {{ data.subject }} ({{ data.contact.name }}, {{ data.status }})"],
  ["contact.", "{{ type }}: {{ data.name }} {{ data.email }}"],
];
const ANY = "{{ type }} by {{ actor.name }}: {{ data.id }}";

/** A line that has something to say about each of these events. */
export function textFor(events: readonly string[], escaping: string): string {
  const isFor = (group: string) => events.length > 0 && events.every((name) => name.startsWith(group));
  const text = TEXTS.find(([group]) => isFor(group))?.[1] ?? ANY;
  return text.replaceAll(" }}", ` | ${escaping} }}`);
}
