/** The icon of the tab has a dot while something is unread. */
export function setUnreadInIcon(isUnread: boolean): void {
  const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  const href = isUnread ? "/favicon-unread.svg" : "/favicon.svg";
  if (link && link.getAttribute("href") !== href) link.setAttribute("href", href);
}
