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
      MiniSearch.loadJSON(text, { fields: ["title", "heading", "text"], storeFields: ["title", "heading"] }),
    );
  return index;
};

const search = async () => {
  const text = input.value.trim();
  const found =
    text.length < 2
      ? []
      : (await loadIndex()).search(text, { prefix: true, fuzzy: 0.15, boost: { title: 3, heading: 2 } });
  if (input.value.trim() !== text) return;
  results.replaceChildren(
    ...found.slice(0, 12).map(({ id, title, heading }) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = id;
      link.textContent = heading ? `${title} › ${heading}` : title;
      item.append(link);
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
