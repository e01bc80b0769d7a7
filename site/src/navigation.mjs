/** The pages of the site in their order; whatever else is in docs/ is reachable by links alone. */
export const NAVIGATION = [
  {
    title: "Start",
    pages: [
      { file: "docs/start.md", slug: "" },
      { file: "docs/guides/local-development.md", slug: "guides/local-development" },
      { file: "client/README.md", slug: "client" },
    ],
  },
  {
    title: "Guides",
    pages: [
      { file: "docs/guides/verify-signatures.md", slug: "guides/verify-signatures" },
      { file: "docs/guides/receivers.md", slug: "guides/receivers" },
      { file: "docs/guides/ordering.md", slug: "guides/ordering" },
      { file: "docs/guides/exactly-once.md", slug: "guides/exactly-once" },
      { file: "docs/guides/rotating.md", slug: "guides/rotating" },
      { file: "docs/guides/bot.md", slug: "guides/bot" },
      { file: "docs/guides/assistants.md", slug: "guides/assistants" },
      { file: "docs/guides/chatwoot.md", slug: "guides/chatwoot" },
    ],
  },
  {
    title: "Concepts",
    pages: [
      "conversations",
      "widgets",
      "events",
      "webhooks",
      "delivery",
      "api-keys",
      "strict-requests",
      "dashboard",
    ].map(fromDocs),
  },
  {
    title: "Running it",
    pages: [
      ...["configuration", "operations", "alerts", "growing", "running-for-years", "errors", "results"].map(fromDocs),
      { file: "CHANGELOG.md", slug: "changelog" },
    ],
  },
  {
    title: "Inside",
    pages: [
      { file: "docs/ARCHITECTURE.md", slug: "architecture" },
      { file: "docs/decisions/README.md", slug: "decisions" },
    ],
  },
];

function fromDocs(name) {
  return { file: `docs/${name}.md`, slug: name };
}
