/** Simple HTML of a text that people wrote: paragraphs, line breaks, lists and links. Nothing in the text is markup. */
export function htmlOf(text: string): string {
  const blocks = text
    .replace(/\r\n?/g, "\n")
    .split(/\n[ \t]*\n/)
    .map((block) => block.replace(/^\n+|\s+$/g, ""))
    .filter((block) => block !== "");
  return blocks.map(blockOf).join("\n");
}

const BULLET = /^\s{0,3}[-*•]\s+/;
const NUMBER = /^\s{0,3}\d{1,3}[.)]\s+/;
// Stops before what usually ends a sentence, not a link.
const LINK = /\b(?:https?:\/\/|mailto:)[^\s<>"]+[^\s<>"'.,;:!?)\]}]/gi;

function blockOf(block: string): string {
  const lines = block.split("\n");
  const parts: string[] = [];
  for (let index = 0; index < lines.length; ) {
    const marker = [BULLET, NUMBER].find((pattern) => pattern.test(lines[index] ?? ""));
    const end = lines.findIndex((line, at) => at >= index && (marker ? !marker.test(line) : isItem(line)));
    const run = lines.slice(index, end === -1 ? lines.length : end);
    parts.push(marker ? listOf(run, marker) : `<p>${run.map(inline).join("<br>\n")}</p>`);
    index += run.length;
  }
  return parts.join("\n");
}

const isItem = (line: string): boolean => BULLET.test(line) || NUMBER.test(line);

function listOf(lines: readonly string[], marker: RegExp): string {
  const tag = marker === BULLET ? "ul" : "ol";
  return `<${tag}>\n${lines.map((line) => `<li>${inline(line.replace(marker, ""))}</li>`).join("\n")}\n</${tag}>`;
}

function inline(line: string): string {
  let html = "";
  let position = 0;
  for (const { 0: link, index } of line.matchAll(LINK)) {
    html += `${escaped(line.slice(position, index))}<a href="${escaped(link)}">${escaped(link)}</a>`;
    position = index + link.length;
  }
  return html + escaped(line.slice(position));
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
