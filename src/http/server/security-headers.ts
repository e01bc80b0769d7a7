/** On every response. A page that needs more says so in its own policy. */
const ALWAYS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
};

const YEAR_SECONDS = 31_536_000;

export const isHttps = (publicUrl: string | null): boolean => publicUrl?.startsWith("https:") ?? false;

/** With a public address under https, browsers are instructed to use nothing else. */
export const securityHeaders = (publicUrl: string | null): Record<string, string> =>
  isHttps(publicUrl) ? { ...ALWAYS, "strict-transport-security": `max-age=${YEAR_SECONDS}` } : ALWAYS;
