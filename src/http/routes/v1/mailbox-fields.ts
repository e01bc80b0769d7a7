import { Type } from "typebox";
import { NAME_PATTERN } from "../../../core/control-characters.ts";
import type { MailboxInput } from "../../../email/mailboxes/next.ts";
import { oneOf } from "../../../resources/common.ts";
import { AfterImport, INBOUND_TYPES, MAIL_SECURITIES } from "../../../resources/mailbox.ts";
import { orDefault } from "./or-default.ts";

/** The fields of a mailbox as a body gives them. Null is a value of each: it restores the default where there is one. */

const text = (maxLength: number, description?: string) =>
  Type.String({ trim: true, minLength: 1, maxLength, ...(description ? { description } : {}) });
const nullableText = (maxLength: number, options: object = {}) =>
  Type.Unsafe<string | null>({ type: ["string", "null"], maxLength, trim: true, "x-null": true, ...options });

const Oauth = Type.Object(
  {
    token_url: text(2_048, "Where a refresh token is exchanged for an access token."),
    client_id: text(1_024),
    client_secret: Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], maxLength: 4_096 })),
    refresh_token: Type.Optional(Type.String({ minLength: 1, maxLength: 8_192 })),
    scope: Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], maxLength: 2_048 })),
  },
  { description: "Instead of a password. A refresh token that the provider replaces is stored." },
);

const Account = {
  host: Type.Optional(Type.String({ minLength: 1, maxLength: 253 })),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  security: Type.Optional(
    oneOf(MAIL_SECURITIES, { description: "`tls` (default): TLS begins with the connection. `none` is unencrypted." }),
  ),
  user: Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], minLength: 1, maxLength: 320 })),
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096, description: "Never shown again." })),
  oauth: Type.Optional(Oauth),
};

const Inbound = Type.Object({
  type: oneOf(INBOUND_TYPES, {
    description: "`imap`: read from a mail server. `smtp`: Parley's own receiver. `http`: handed over by the API.",
  }),
  ...Account,
  folder: Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], maxLength: 255 })),
  since: Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      maxLength: 64,
      description:
        "A date: mail from then on is imported at the first connection. Null: only what arrives from now on.",
    }),
  ),
  after_import: Type.Optional(AfterImport),
});

const Dkim = Type.Object({
  domain: text(253),
  selector: text(63),
  private_key: Type.Optional(Type.String({ minLength: 1, maxLength: 16_384, description: "PEM. Never shown again." })),
});

const nullableObject = <T>(schema: object, description: string) =>
  Type.Optional(Type.Unsafe<T | null>({ ...schema, type: ["object", "null"], "x-null": true, description }));

export const MailboxFields = {
  name: Type.String({
    trim: true,
    minLength: 1,
    maxLength: 255,
    pattern: NAME_PATTERN,
    "x-null": true,
    examples: ["Support"],
  }),
  address: Type.String({
    trim: true,
    minLength: 3,
    maxLength: 320,
    "x-null": true,
    description: "The e-mail address that customers write to; unique in the workspace, in any case.",
    examples: ["support@shop.example"],
  }),
  from_name: Type.Optional(nullableText(255, { description: "The name under which replies are sent." })),
  inbound: nullableObject<NonNullable<MailboxInput["inbound"]>>(Inbound, "How mail comes in; null: only over HTTP."),
  outbound: nullableObject<NonNullable<MailboxInput["outbound"]>>(
    Type.Object(Account),
    "How mail goes out; null: through the mail server of the installation (`PARLEY_SMTP_URL`).",
  ),
  dkim: nullableObject<NonNullable<MailboxInput["dkim"]>>(Dkim, "Signs what is sent."),
  authserv_id: Type.Optional(
    nullableText(255, {
      description: "The name of the server whose `Authentication-Results` are believed; null: none is.",
    }),
  ),
  signature: orDefault<string>("string", {
    maxLength: 4_096,
    description: "Ends every mail that people send.",
  }),
  own_lists: orDefault<string[]>("array", {
    items: { type: "string", minLength: 1, maxLength: 255 },
    maxItems: 100,
    description:
      "List-Ids, without `<>`, of groups through which this address gets its mail: their headers do not make a mail automatic.",
  }),
};
