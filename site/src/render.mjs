import { posix } from "node:path";
import hljs from "highlight.js/lib/common";
import { Marked } from "marked";
import { anchor } from "./reference.mjs";

const NAME_CHARS_MAX = 40;

/** Where a table has no room, the path of an operation breaks after a slash, and on phones a name between its words. */
const breakable = (html) =>
  html
    .replace(/<code>[A-Z]+ \/[^<]*/g, (path) => path.replaceAll("/", "/<wbr>"))
    .replace(/<code>[A-Z]\w+<\/code>/g, (name) => name.replaceAll("_", '_<wbr class="word">'));

/**
 * Markdown to HTML for one page. Links between Markdown files become links between pages; links to files that are no page
 * keep their text and lose the link.
 *
 * @param {{ file: string | null, markdown: string }} page
 * @param {Map<string, string>} slugs file → slug
 */
export function renderMarkdown({ file, markdown }, slugs) {
  const headings = [];
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const id = anchor(text);
        if (depth === 2 || depth === 3) headings.push({ id, depth, text: plain(text) });
        const content = this.parser.parseInline(tokens);
        return `<h${depth} id="${id}">${content}${depth > 1 ? ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>` : ""}</h${depth}>\n`;
      },
      code({ text, lang = "" }) {
        const language = lang.split(/\s/)[0];
        const html = hljs.getLanguage(language) ? hljs.highlight(text, { language }).value : escapeHtml(text);
        return `<div class="code"><button type="button" class="copy" aria-label="Copy">Copy</button><pre tabindex="0"><code>${html}</code></pre></div>\n`;
      },
      // A name in a table stays in one piece; a whole line of code may be broken.
      codespan({ text }) {
        const html = `<code>${escapeHtml(text)}</code>`;
        return text.length > NAME_CHARS_MAX ? `<span class="long">${html}</span>` : html;
      },
      link({ href, title, tokens }) {
        const content = this.parser.parseInline(tokens);
        const target = linkTo(href, file, slugs);
        if (target === null) return content;
        const attributes = title ? ` title="${escapeHtml(title)}"` : "";
        return `<a href="${escapeHtml(target)}"${attributes}>${content}</a>`;
      },
      // The site is self-contained; screenshots stay in the repository.
      image: ({ text }) => `<em>${escapeHtml(text)}</em>`,
      html: ({ text }) => (text.trim().startsWith("<!--") ? "" : escapeHtml(text)),
      table({ header, rows }) {
        const row = (cells, tag) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${breakable(this.parser.parseInline(tokens))}</${tag}>`).join("")}</tr>`;
        return `<div class="table" tabindex="0"><table><thead>${row(header, "th")}</thead><tbody>${rows.map((cells) => row(cells, "td")).join("")}</tbody></table></div>\n`;
      },
    },
  });
  return { html: marked.parse(markdown), headings };
}

/** The Markdown of a page as it is served: links lead to the Markdown of other pages, marks for tests are left out. */
export function servedMarkdown({ file, markdown }, slugs) {
  return markdown
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : withServedLinks(part, file, slugs)))
    .join("");
}

const withServedLinks = (text, file, slugs) =>
  text
    .replace(/^<!-- .* -->\n/gm, "")
    .replace(/(!?)\[((?:[^\]]|\](?!\())*)\]\(([^)\s]+)\)/g, (_all, image, label, href) => {
      if (image) return label;
      const target = linkTo(href, file, slugs);
      if (target === null) return label;
      const [path, hash] = target.split("#");
      const isPage = path.startsWith("/docs") && !/\.\w+$/.test(path);
      const address = isPage ? `/docs/${path.replace(/^\/docs\/?/, "") || "index"}.md` : path;
      return `[${label}](${address}${hash ? `#${hash}` : ""})`;
    });

function linkTo(href, file, slugs) {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href;
  const [path, hash] = href.split("#");
  const target = posix.normalize(posix.join(posix.dirname(file ?? ""), path));
  const slug = slugs.get(target);
  return slug === undefined ? null : addressOf(slug) + (hash ? `#${hash}` : "");
}

export const addressOf = (slug) => (slug === "" ? "/docs" : `/docs/${slug}`);

/** Without the marks of Markdown, for titles and the search. */
export const plain = (markdown) =>
  markdown
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]{1,3}/g, "")
    // Within a name it is part of it: `retry_count`.
    .replace(/(?<![\p{L}\p{N}])_{1,3}|_{1,3}(?![\p{L}\p{N}])/gu, "");

export const escapeHtml = (text) =>
  text.replace(/[&<>"']/g, (char) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[char]);
