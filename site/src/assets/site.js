/* global MiniSearch */
const $ = (selector) => document.querySelector(selector);

document.querySelectorAll(".copy").forEach((button) => {
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector("code").textContent);
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1500);
  });
});

$(".theme").addEventListener("click", () => {
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  try {
    localStorage.setItem("parley-docs-theme", root.dataset.theme);
  } catch {
    // It holds for this page, then.
  }
});

if (matchMedia("(max-width: 60rem)").matches) $("nav details").open = false;

const input = $(".search input");
const results = $(".results");
let index;

/** Fetched with the first key stroke: a reader who does not search does not pay for it. */
const loadIndex = () => {
  index ??= fetch("/docs/assets/search.json")
    .then((response) => response.text())
    .then((text) =>
      MiniSearch.loadJSON(text, { fields: ["title", "heading", "text"], storeFields: ["title", "heading", "excerpt"] }),
    );
  return index;
};

/** Why something was decided, and when it came, is asked less often than how it works. */
const weightOf = (id) => {
  if (/^\/docs\/(?:decisions|changelog|results|architecture)/.test(id)) return 0.2;
  // Every operation names the same headers and errors.
  return id.startsWith("/docs/api/") ? 0.4 : 1;
};

/** What a question has besides what it asks about. */
const COMMON = new Set(
  "a an and are as at be by can do does for from how i in is it me my of on or the to up what when where which with".split(
    " ",
  ),
);

const OPTIONS = {
  prefix: true,
  fuzzy: 0.15,
  // What is written as it was typed comes first.
  weights: { fuzzy: 0.1, prefix: 0.5 },
  boost: { title: 3, heading: 4 },
  boostDocument: weightOf,
};

/** All words, or any of them where nothing has all; common ones only where there is nothing else. */
const hitsOf = (all, text) => {
  const words = text.split(/\s+/).filter((word) => !COMMON.has(word.toLowerCase()));
  const asked = words.join(" ") || text;
  const strict = all.search(asked, { ...OPTIONS, combineWith: "AND" });
  return strict.length > 0 ? strict : all.search(asked, OPTIONS);
};

const EXCERPT_CHARS = 120;

/** The text around the longest word that was found: it says most. */
const excerptOf = ({ excerpt = "", terms }) => {
  const text = excerpt.toLowerCase();
  const word = [...terms].sort((a, b) => b.length - a.length).find((term) => text.includes(term));
  const from = word === undefined ? 0 : Math.max(0, text.indexOf(word) - EXCERPT_CHARS / 3);
  const cut = excerpt.slice(from, from + EXCERPT_CHARS).trim();
  return `${from > 0 ? "… " : ""}${cut}${from + EXCERPT_CHARS < excerpt.length ? " …" : ""}`;
};

const search = async () => {
  const text = input.value.trim();
  const found = text.length < 2 ? [] : hitsOf(await loadIndex(), text);
  if (input.value.trim() !== text) return;
  results.replaceChildren(
    ...found.slice(0, 12).map((hit) => {
      const { id, title, heading } = hit;
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = id;
      link.textContent = heading ? `${title} › ${heading}` : title;
      const around = document.createElement("small");
      around.textContent = excerptOf(hit);
      item.append(link, around);
      return item;
    }),
  );
  if (text.length >= 2 && found.length === 0) {
    const none = document.createElement("li");
    none.textContent = "Nothing found.";
    results.append(none);
  }
  results.hidden = text.length < 2;
};

input.addEventListener("input", search);
$(".search").addEventListener("submit", (event) => {
  event.preventDefault();
  results.querySelector("a")?.click();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== input) {
    event.preventDefault();
    input.focus();
  }
  if (event.key === "Escape") results.hidden = true;
});
document.addEventListener("click", (event) => {
  if (!event.target.closest(".search")) results.hidden = true;
});
