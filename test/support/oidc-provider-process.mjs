import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:http";
import { Provider } from "oidc-provider";

/**
 * A real OpenID Connect provider (oidc-provider) as a process of its own. It prints its address, signs in anyone who
 * `POST /become` named last, without asking (or denies it to a person with `denied`), and ends with its standard input.
 * `POST /rotate` replaces its keys; `POST /forge` says how the identities that it hands out from now on are forged.
 */
const CLIENT_SECRET = "a-client-secret-for-tests";
let person = { sub: "nobody" };
let forgery = null;
let key = newKey("first");
let withdrawn = key;
const server = createServer();
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const issuer = `http://127.0.0.1:${server.address().port}`;
let provider = createProvider();

// Codes and sessions stay valid with other keys: the library keeps them for all providers of a process.
function createProvider() {
  return new Provider(issuer, {
    clients: [
      {
        client_id: "parley",
        client_secret: CLIENT_SECRET,
        redirect_uris: [process.argv[2]],
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    jwks: { keys: [{ ...key.privateKey.export({ format: "jwk" }), kid: key.kid, use: "sig", alg: "RS256" }] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    cookies: { keys: ["a key for tests"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ ...person, sub: id }) }),
    async loadExistingGrant(ctx) {
      const { client, session, provider: own } = ctx.oidc;
      const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
}

function newKey(kid) {
  return { kid, ...generateKeyPairSync("rsa", { modulusLength: 2048 }) };
}

const FORGERIES = {
  "wrong key": (header, claims) => signed({ ...header, kid: key.kid }, claims, newKey(key.kid).privateKey),
  "unknown kid": (header, claims) => signed({ ...header, kid: "elsewhere" }, claims, newKey("elsewhere").privateKey),
  "withdrawn key": (header, claims) => signed({ ...header, kid: withdrawn.kid }, claims, withdrawn.privateKey),
  "other claims": (_header, claims, token) => {
    const [header, , signature] = token.split(".");
    return `${header}.${encoded({ ...claims, sub: "another-person" })}.${signature}`;
  },
  "no algorithm": (header, claims) => `${encoded({ ...header, alg: "none" })}.${encoded(claims)}.`,
  "client secret": (header, claims) => {
    const text = `${encoded({ ...header, alg: "HS256" })}.${encoded(claims)}`;
    return `${text}.${createHmac("sha256", CLIENT_SECRET).update(text).digest("base64url")}`;
  },
};

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const decoded = (part) => JSON.parse(Buffer.from(part, "base64url").toString());

function signed(header, claims, privateKey) {
  const text = `${encoded(header)}.${encoded(claims)}`;
  return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`;
}

/** The response of the token endpoint with an identity that was signed elsewhere. */
function forgeInto(response) {
  const { end } = response;
  response.end = (body) => {
    const tokens = JSON.parse(body);
    const [header, claims] = tokens.id_token.split(".");
    // With the address in it, the identity alone decides who signs in.
    tokens.id_token = FORGERIES[forgery](decoded(header), { ...decoded(claims), ...person }, tokens.id_token);
    const text = JSON.stringify(tokens);
    response.setHeader("content-length", Buffer.byteLength(text));
    return end.call(response, text);
  };
}

async function readBody(request) {
  let text = "";
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

server.on("request", async (request, response) => {
  if (request.url === "/become") {
    person = await readBody(request);
    response.end("{}");
  } else if (request.url === "/forge") {
    forgery = await readBody(request);
    response.end("{}");
  } else if (request.url === "/rotate") {
    withdrawn = key;
    key = newKey(await readBody(request));
    provider = createProvider();
    response.end("{}");
  } else if (request.url?.startsWith("/interaction/")) {
    const result = person.denied ? { error: "access_denied" } : { login: { accountId: person.sub } };
    await provider.interactionFinished(request, response, result);
  } else {
    if (request.url === "/token" && forgery !== null) forgeInto(response);
    provider.callback()(request, response);
  }
});
process.stdin.on("end", () => process.exit(0)).resume();
process.stdout.write(`${issuer}\n`);
