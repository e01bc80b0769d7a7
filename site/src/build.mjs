import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import MiniSearch from "minisearch";
import { NAVIGATION } from "./navigation.mjs";
import { referencePages } from "./reference.mjs";
import { addressOf, escapeHtml, plain, renderMarkdown, servedMarkdown } from "./render.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const assets = fileURLToPath(new URL("assets", import.meta.url));
const read = (file) => readFileSync(join(root, file), "utf8");

/** Writes the whole site into a directory: HTML, each page as Markdown, llms.txt, the search index and its assets. */
function buildSite(directory) {
  const api = JSON.parse(read("openapi.json"));
  const sections = [
    ...NAVIGATION.map(({ title, pages }) => ({ title, pages: pages.map(fromFile) })),
    { title: "API reference", pages: referencePages(api).map((page) => ({ ...page, file: null })) },
  ];
  const listed = sections.flatMap(({ pages }) => pages);
  const unlisted = [...decisions()].map(fromFile);
  const pages = [...listed, ...unlisted];
  const slugs = new Map(pages.filter(({ file }) => file).map(({ file, slug }) => [file, slug]));
  slugs.set("README.md", "");
  const documents = [];
  for (const page of pages) {
    const { html, headings } = renderMarkdown(page, slugs);
    write(directory, `${page.slug || "index"}.html`, layout({ page, html, headings, sections }));
    write(directory, `${page.slug || "index"}.md`, servedMarkdown(page, slugs));
    documents.push(...searchDocuments(page));
  }
  const { html } = renderMarkdown(MISSING, slugs);
  write(directory, "404.html", layout({ page: MISSING, html, headings: [], sections }));
  write(directory, "404.md", servedMarkdown(MISSING, slugs));
  write(directory, "llms.txt", llms(sections));
  write(directory, "assets/search.json", JSON.stringify(searchIndex(documents)));
  cpSync(assets, join(directory, "assets"), { recursive: true });
  const { resolve } = createRequire(import.meta.url);
  cpSync(join(dirname(resolve("minisearch")), "../umd/index.js"), join(directory, "assets/minisearch.js"));
}

const MISSING = {
  file: null,
  slug: "404",
  title: "No such page",
  markdown:
    "# No such page\n\nThere is no page at this address. Search above, choose one from the list of pages, or begin at the [start](/docs/index).\n",
};

function fromFile({ file, slug }) {
  const markdown = read(file);
  return { file, slug, markdown, title: plain(/^# (.*)$/m.exec(markdown)?.[1] ?? slug) };
}

function* decisions() {
  for (const name of readdirSync(join(root, "docs/decisions")))
    if (/^\d{4}-.*\.md$/.test(name))
      yield { file: `docs/decisions/${name}`, slug: `decisions/${name.replace(".md", "")}` };
}

function write(directory, file, text) {
  const path = join(directory, file);
  if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function layout({ page, html, headings, sections }) {
  const navigation = sections
    .map(
      ({ title, pages }) =>
        `<p>${escapeHtml(title)}</p><ul>${pages
          .map(
            (one) =>
              `<li><a href="${addressOf(one.slug)}"${one.slug === page.slug ? ' aria-current="page"' : ""}>${escapeHtml(one.title)}</a></li>`,
          )
          .join("")}</ul>`,
    )
    .join("");
  const contents = headings
    .filter(({ depth }) => depth === 2)
    .map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
    .join("");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.slug === "" ? "Parley documentation" : `${page.title} · Parley`)}</title>
<link rel="alternate" type="text/markdown" href="${page.slug === "" ? "/docs/index.md" : `/docs/${page.slug}.md`}">
<link rel="icon" href="/docs/assets/icon.svg">
<link rel="stylesheet" href="/docs/assets/style.css">
<script src="/docs/assets/theme.js"></script>
<script src="/docs/assets/minisearch.js" defer></script>
<script src="/docs/assets/site.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="/docs">Parley docs</a>
<form role="search" class="search"><input type="search" name="q" placeholder="Search (press /)" aria-label="Search the documentation" autocomplete="off"><ol class="results" hidden></ol></form>
<button type="button" class="theme" aria-label="Switch between light and dark">◐</button>
</header>
<div class="columns">
<nav aria-label="Pages"><details open><summary>Pages</summary>${navigation}</details></nav>
<main id="content">
${html}
<footer><a href="${page.slug === "" ? "/docs/index.md" : `/docs/${page.slug}.md`}">This page as Markdown</a> · <a href="/docs/llms.txt">llms.txt</a> · <a href="/api/v1/openapi.json">OpenAPI</a></footer>
</main>
<aside aria-label="On this page">${contents ? `<p>On this page</p><ul>${contents}</ul>` : ""}</aside>
</div>
</body>
</html>
`;
}

/** One entry per section of a page, so that a hit leads to where it is. */
function searchDocuments({ slug, title, markdown }) {
  const parts = markdown.split(/^(?=## )/m);
  return parts.map((part, index) => {
    const heading = index === 0 ? "" : plain(/^## (.*)$/m.exec(part)?.[1] ?? "");
    const hash =
      heading === ""
        ? ""
        : `#${heading
            .toLowerCase()
            .replace(/[^\p{L}\p{N} _-]/gu, "")
            .replaceAll(" ", "-")}`;
    const text = plain(part);
    const excerpt = text
      .replace(/^#+ .*$/m, "")
      .replace(/\s+/g, " ")
      .trim()
      .slice(0, EXCERPT_CHARS_MAX);
    return { id: addressOf(slug) + hash, title, heading, text, excerpt };
  });
}

/** What a hit can show of its section; the whole text would make the index three times as large. */
const EXCERPT_CHARS_MAX = 800;

function searchIndex(documents) {
  const index = new MiniSearch({ fields: ["title", "heading", "text"], storeFields: ["title", "heading", "excerpt"] });
  const seen = new Set();
  index.addAll(documents.filter(({ id }) => !seen.has(id) && seen.add(id)));
  return index;
}

/** See llmstxt.org: what a program should read first, with each page as Markdown. */
function llms(sections) {
  const lines = sections.flatMap(({ title, pages }) => [
    `\n## ${title}\n`,
    ...pages.map(({ slug, title: name }) => `- [${name}](/docs/${slug || "index"}.md)`),
  ]);
  return [
    "# Parley",
    "",
    "> Self-hosted customer messaging: contacts, conversations and messages behind a JSON API, API keys with scopes, and signed webhooks that do not lose events.",
    "",
    "The OpenAPI description is at /api/v1/openapi.json.",
    ...lines,
    "",
  ].join("\n");
}

buildSite(process.argv[2]);
