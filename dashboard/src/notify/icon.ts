/** A number with two digits could not be read. */
const SHOWN_MAX = 9;

let shown = 0;
let picture: Promise<string> | null = null;

/** The icon of the tab has the number of what is unread. */
export async function setUnreadInIcon(count: number): Promise<void> {
  shown = count;
  const href = count > 0 ? iconWith(await read(), count > SHOWN_MAX ? `${SHOWN_MAX}+` : String(count)) : "/favicon.svg";
  const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  // Another number may have come while the picture was being loaded.
  if (link && shown === count && link.getAttribute("href") !== href) link.setAttribute("href", href);
}

/** With a zero, which is replaced. */
const iconWith = (svg: string, number: string): string =>
  `data:image/svg+xml,${encodeURIComponent(svg.replace(">0<", `>${number}<`))}`;

function read(): Promise<string> {
  picture ??= fetch("/favicon-unread.svg")
    .then((response) => response.text())
    .catch((error: unknown) => {
      picture = null;
      throw error;
    });
  return picture;
}
