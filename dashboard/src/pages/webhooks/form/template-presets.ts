/** What chat services expect at an incoming webhook, with a line of text that suits the events. */
export const PRESETS: readonly { title: string; templateFor: (text: string) => unknown }[] = [
  { title: "Slack", templateFor: (text) => ({ text }) },
  // What a customer writes must not call everybody in the channel.
  { title: "Discord", templateFor: (text) => ({ content: text, allowed_mentions: { parse: [] } }) },
  { title: "Teams", templateFor: adaptiveCard },
  { title: "Mattermost", templateFor: (text) => ({ text }) },
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

const TEXTS: readonly [group: string, text: string][] = [
  ["message.", "{{ data.sender.name }}: {{ data.body }}"],
  ["conversation.", "{{ type }}: {{ data.subject }} ({{ data.contact.name }}, {{ data.status }})"],
  ["contact.", "{{ type }}: {{ data.name }} {{ data.email }}"],
];

/** A line that has something to say about each of these events. */
export const textFor = (events: readonly string[]): string =>
  TEXTS.find(([group]) => events.length > 0 && events.every((name) => name.startsWith(group)))?.[1] ??
  "{{ type }} by {{ actor.name }}: {{ data.id }}";
