import { rich } from "../../lib/rich.ts";
import { t } from "../../lib/texts.ts";

/** Browsers bind a passkey to a host name; at an address such as 192.0.2.1 or [::1] they refuse to ask for one. */
const isAddress = (hostname: string): boolean => /^[\d.]+$/.test(hostname) || hostname.startsWith("[");

const LOOPBACK = /^(?:127\.[\d.]+|\[::1\])$/;

/** Only in a secure context (https, or localhost), and never at an address. */
export const passkeysWork = (): boolean =>
  typeof window.PublicKeyCredential === "function" && !isAddress(window.location.hostname);

/** Said in place of what asks for a passkey, where the browser would refuse: why, and where they work. */
export function PasskeysElsewhere() {
  const { hostname, protocol, port, pathname, search } = window.location;
  if (!isAddress(hostname)) return t("Passkeys need https, or http://localhost.");
  const named = `${protocol}//localhost${port && `:${port}`}`;
  return (
    <>
      {t("Passkeys need a host name, and {host} is an address.", { host: hostname })}{" "}
      {LOOPBACK.test(hostname)
        ? rich("Open {link} instead, and sign in there.", {
            link: <a href={`${named}${pathname}${search}`}>{named}</a>,
          })
        : t("Open Parley by the name that it has in your network, over https.")}
    </>
  );
}
