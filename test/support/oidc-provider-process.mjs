import { createServer } from "node:http";
import { Provider } from "oidc-provider";

/**
 * A real OpenID Connect provider (oidc-provider) as a process of its own. It prints its address, signs in anyone who
 * `POST /become` named last, without asking (or denies it to a person with `denied`), and ends with its standard input.
 */
let person = { sub: "nobody" };
const server = createServer();
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const issuer = `http://127.0.0.1:${server.address().port}`;
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "parley",
      client_secret: "a-client-secret-for-tests",
      redirect_uris: [process.argv[2]],
      grant_types: ["authorization_code"],
      response_types: ["code"],
    },
  ],
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
const respond = provider.callback();
server.on("request", async (request, response) => {
  if (request.url === "/become") {
    let text = "";
    for await (const chunk of request) text += chunk;
    person = JSON.parse(text);
    response.end("{}");
  } else if (request.url?.startsWith("/interaction/")) {
    const result = person.denied ? { error: "access_denied" } : { login: { accountId: person.sub } };
    await provider.interactionFinished(request, response, result);
  } else respond(request, response);
});
process.stdin.on("end", () => process.exit(0)).resume();
process.stdout.write(`${issuer}\n`);
