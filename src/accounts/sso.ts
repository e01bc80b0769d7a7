import * as oidc from "openid-client";
import type { Logger } from "../core/logger.ts";
import type { SecretBox } from "../core/secret-box.ts";
import type { Queryable } from "../db/database.ts";
import { attemptChallenge, endChallenge, startChallenge } from "./challenges.ts";
import type { VerifiedIdentity } from "./identities.ts";
import { providerUnavailable, ssoFault } from "./sso-failure.ts";

interface SsoSettings {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  /** What the button is called. */
  name: string;
}

export interface SsoOptions {
  settings: SsoSettings;
  db: Queryable;
  secretBox: SecretBox;
  logger: Logger;
  fetch: typeof globalThis.fetch;
}

export interface Sso {
  readonly name: string;
  /** Where to send the browser, and the token with which it comes back. */
  start(redirectUri: string): Promise<{ url: string; token: string }>;
  /** Whom the provider vouches for. `search` is the query that it sent the browser back with. */
  finish(input: { redirectUri: string; search: string; token: string }): Promise<VerifiedIdentity>;
}

interface Pending {
  state: string;
  nonce: string;
  verifier: string;
}

const SCOPE = "openid email profile";
const CONTEXT = "sso";

/** Sign-in through an OpenID Connect provider: authorization code with PKCE, state and nonce. */
export function createSso({ settings, db, secretBox, logger, fetch }: SsoOptions): Sso {
  let discovered: Promise<oidc.Configuration> | null = null;

  /** Asked for when it is first needed, and again after a failure: the provider may start later than we do. */
  async function provider(): Promise<oidc.Configuration> {
    discovered ??= discover({ settings, fetch });
    try {
      return await discovered;
    } catch (error) {
      discovered = null;
      logger.warn({ err: error }, "the identity provider could not be reached, trying again at the next sign-in");
      throw providerUnavailable(error);
    }
  }

  return {
    name: settings.name,
    async start(redirectUri) {
      const config = await provider();
      const verifier = oidc.randomPKCECodeVerifier();
      const pending: Pending = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier };
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state: pending.state,
        nonce: pending.nonce,
      });
      const challenge = secretBox.seal(JSON.stringify(pending), CONTEXT);
      const token = await startChallenge(db, { purpose: "sso", userId: null, challenge });
      return { url: url.href, token };
    },
    async finish({ redirectUri, search, token }) {
      const { challenge } = await attemptChallenge(db, token, "sso");
      const pending = JSON.parse(secretBox.open(challenge ?? "", CONTEXT)) as Pending;
      await endChallenge(db, token);
      const config = withCurrentKeys(await provider(), { settings, fetch });
      try {
        const tokens = await oidc.authorizationCodeGrant(config, new URL(search, redirectUri), {
          pkceCodeVerifier: pending.verifier,
          expectedState: pending.state,
          expectedNonce: pending.nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new Error("The provider sent no identity.");
        // Small identity tokens leave the address to the user info endpoint.
        const info = claims.email ? claims : await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
        return {
          issuer: claims.iss,
          subject: claims.sub,
          email: text(info.email),
          emailVerified: info.email_verified === true || info.email_verified === "true",
          name: text(info.name) ?? text(info.preferred_username),
        };
      } catch (error) {
        logger.warn({ err: error }, "a single sign-on failed");
        throw ssoFault(error);
      }
    },
  };
}

type Connection = Pick<SsoOptions, "settings" | "fetch">;

function discover({ settings, fetch }: Connection): Promise<oidc.Configuration> {
  const { issuer, clientId, clientSecret } = settings;
  return oidc.discovery(new URL(issuer), clientId, clientSecret ?? undefined, authentication(clientSecret), {
    [oidc.customFetch]: fetch as never,
    ...(mayUseHttp(settings) ? { execute: [oidc.allowInsecureRequests] } : {}),
  });
}

/**
 * The library keeps a provider's keys for five minutes with each configuration, and trusts the connection to the token
 * endpoint unless verifying is switched on. A configuration per sign-in asks for the keys each time: a new key works at once,
 * and one that the provider withdrew no longer does.
 */
function withCurrentKeys(discovered: oidc.Configuration, { settings, fetch }: Connection): oidc.Configuration {
  const { clientId, clientSecret } = settings;
  const auth = authentication(clientSecret);
  const config = new oidc.Configuration(discovered.serverMetadata(), clientId, clientSecret ?? undefined, auth);
  config[oidc.customFetch] = fetch as never;
  if (mayUseHttp(settings)) oidc.allowInsecureRequests(config);
  oidc.enableNonRepudiationChecks(config);
  return config;
}

const authentication = (clientSecret: string | null) => (clientSecret ? undefined : oidc.None());

/** Only where the operator wrote http in the settings, which accept it for a provider on the same machine alone. */
const mayUseHttp = ({ issuer }: SsoSettings): boolean => new URL(issuer).protocol === "http:";

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
