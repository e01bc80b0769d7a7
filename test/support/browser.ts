import type { Reply, TestParley } from "./parley.ts";

/** A browser as far as the server can tell: keeps the cookie, says where its requests come from. */
export interface Browser {
  /** `path` below /dashboard-api, or absolute from the root with a leading `//`. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string | null>): Promise<Reply>;
  /** The session's token; null when signed out. */
  token: string | null;
  /** Marks a browser that has signed in before; stays when the session ends. */
  device: string | null;
  /** The session's cookie as the server sent it last. */
  setCookie: string | null;
}

export const PASSWORD = "correct horse battery";

export function openBrowser(
  parley: Pick<TestParley, "url">,
  token: string | null = null,
  origin: string = parley.url,
): Browser {
  // Under https the names of the cookies begin with __Host-; they are sent as they were received.
  let prefix = "";
  const cookies = () =>
    (browser.token === null ? "" : `; ${prefix}parley_session=${browser.token}`) +
    (browser.device === null ? "" : `; ${prefix}parley_device=${browser.device}`);
  const browser: Browser = {
    token,
    device: null,
    setCookie: null,
    async call(method, path, body, headers = {}) {
      const sent: Record<string, string | null> = {
        origin,
        ...(method === "GET" ? {} : { "content-type": "application/json" }),
        ...(cookies() === "" ? {} : { cookie: `theme=dark${cookies()}` }),
        ...headers,
      };
      const response = await fetch(parley.url + (path.startsWith("//") ? path.slice(1) : `/dashboard-api${path}`), {
        method,
        headers: Object.entries(sent).filter((pair): pair is [string, string] => pair[1] !== null),
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, before = "", name, value] = /^(__Host-)?(parley_\w+)=([^;]*)/.exec(cookie) ?? [];
        if (name !== undefined) prefix = before;
        if (name === "parley_device") browser.device = value || null;
        if (name !== "parley_session") continue;
        browser.setCookie = cookie;
        browser.token = value || null;
      }
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text), text };
    },
  };
  return browser;
}

/** Follows the set-up link, as the first person to open the dashboard does. */
export async function setUp(parley: TestParley, input: object = {}, origin = parley.url): Promise<Browser> {
  const browser = openBrowser(parley, null, origin);
  const token = new URL(parley.app.setupUrl ?? "").searchParams.get("token");
  const body = { token, name: "Olive Owner", email: "olive@example.com", password: PASSWORD, ...input };
  const reply = await browser.call("POST", "/setup", body);
  if (reply.status !== 201) throw new Error(`setting up responded with ${reply.status}: ${reply.text}`);
  return browser;
}

/** Invites a person and accepts for them. */
export async function join(
  parley: TestParley,
  inviter: Browser,
  role: string,
  email: string,
  headers: Record<string, string> = {},
): Promise<Browser> {
  const invited = await inviter.call("POST", "/invitations", { email, role }, headers);
  if (invited.status !== 201) throw new Error(`inviting responded with ${invited.status}: ${invited.text}`);
  const token = new URL(invited.body.data.url).searchParams.get("token");
  const browser = openBrowser(parley);
  const name = email.split("@")[0];
  const reply = await browser.call("POST", "/accept-invitation", { token, name, password: PASSWORD });
  if (reply.status !== 200) throw new Error(`accepting responded with ${reply.status}: ${reply.text}`);
  return browser;
}
