import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  /** The provider does not let this person in. */
  denied?: boolean;
}

/** How the identity in the response of the token endpoint was made, other than by the provider's key. */
export type Forgery = "wrong key" | "withdrawn key" | "unknown kid" | "other claims" | "no algorithm" | "client secret";

export interface OidcProvider {
  issuer: string;
  /** Whom the provider signs in from now on, without asking. */
  become(person: Person): Promise<void>;
  /** Signs this person in at the provider and returns the query with which it sends the browser back. */
  signIn(person: Person, authorizationUrl: string): Promise<string>;
  /** Identities are forged like this from now on; null: they are the provider's own again. */
  forge(how: Forgery | null): Promise<void>;
  /** Replaces the signing key by a new one with this `kid`. */
  rotate(kid: string): Promise<void>;
  close(): Promise<void>;
}

/** oidc-provider in a process of its own, for one client with this redirect address. */
export async function startOidcProvider(redirectUri: string): Promise<OidcProvider> {
  const script = new URL("./oidc-provider-process.mjs", import.meta.url).pathname;
  const child = spawn(process.execPath, [script, redirectUri], { stdio: ["pipe", "pipe", "ignore"] });
  const [issuer] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const tell = async (path: string, value: unknown): Promise<void> => {
    await fetch(`${issuer}${path}`, { method: "POST", body: JSON.stringify(value) });
  };
  const become = (person: Person): Promise<void> => tell("/become", person);
  return {
    issuer,
    become,
    forge: (how) => tell("/forge", how),
    rotate: (kid) => tell("/rotate", kid),
    async signIn(person, authorizationUrl) {
      await become(person);
      const cookies = new Map<string, string>();
      let url = authorizationUrl;
      for (let hops = 0; hops < 10 && !url.startsWith(redirectUri); hops++) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const response = await fetch(url, { redirect: "manual", headers: { cookie } });
        for (const set of response.headers.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          cookies.set(name, value);
        }
        const location = response.headers.get("location");
        if (location === null) throw new Error(`the provider responded ${response.status}: ${await response.text()}`);
        url = new URL(location, url).href;
      }
      return new URL(url).search;
    },
    async close() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}
