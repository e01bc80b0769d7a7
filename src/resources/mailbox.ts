import { type Static, Type } from "typebox";
import {
  Id,
  NullableInteger,
  NullableString,
  NullableTimestamp,
  nullableTimestamp,
  oneOf,
  Timestamp,
  Uuid,
} from "./common.ts";

export const MAIL_SECURITIES = ["tls", "starttls", "none"] as const;
export const INBOUND_TYPES = ["imap", "smtp", "http"] as const;
const MAILBOX_STATES = ["ok", "connecting", "error", "paused"] as const;

/** What is shown of OAuth settings: the secrets are not. */
const ShownOauth = Type.Object(
  { token_url: Type.String(), client_id: Type.String(), scope: NullableString },
  { title: "MailboxOauth" },
);

const AFTER_IMPORT =
  "What happens to a mail on the server once it is stored: null (nothing), `seen`, or moved to a folder.";

export const AfterImport = Type.Unsafe<"seen" | { move_to: string } | null>({
  type: ["string", "object", "null"],
  properties: { move_to: { type: "string" } },
  description: AFTER_IMPORT,
});

const ShownServer = {
  host: Type.String(),
  port: Type.Integer(),
  security: oneOf(MAIL_SECURITIES),
  oauth: Type.Optional(ShownOauth),
};

const Inbound = Type.Object(
  {
    type: oneOf(INBOUND_TYPES),
    ...Type.Partial(Type.Object(ShownServer)).properties,
    user: Type.Optional(Type.String()),
    folder: Type.Optional(Type.String()),
    since: Type.Optional(
      nullableTimestamp("Mail from when on is imported at the first connection; null: only what arrives from then on."),
    ),
    after_import: Type.Optional(AfterImport),
  },
  { title: "MailboxInbound" },
);
export type Inbound = Static<typeof Inbound>;

const Outbound = Type.Object({ ...ShownServer, user: NullableString }, { title: "MailboxOutbound" });
export type Outbound = Static<typeof Outbound>;

const Dkim = Type.Object({ domain: Type.String(), selector: Type.String() }, { title: "MailboxDkim" });
export type Dkim = Static<typeof Dkim>;

const MailboxStatus = Type.Object(
  {
    state: oneOf(MAILBOX_STATES),
    error: NullableString,
    last_synced_at: NullableTimestamp,
    last_message_at: NullableTimestamp,
    unseen_on_server: NullableInteger,
    import: Type.Unsafe<{ total: number; done: number } | null>({
      type: ["object", "null"],
      properties: { total: { type: "integer" }, done: { type: "integer" } },
      required: ["total", "done"],
      description: "How many of the older mails have been looked at; null: no import is in progress.",
    }),
  },
  { title: "MailboxStatus" },
);
export type MailboxStatus = Static<typeof MailboxStatus>;

const nullable = <T extends object>(schema: T, description: string) => ({
  ...schema,
  type: ["object", "null"],
  description,
});

export const MailboxRecord = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    name: Type.String(),
    address: Type.String(),
    from_name: NullableString,
    inbound: Type.Unsafe<Inbound | null>(nullable(Inbound, "How mail comes in. Passwords and tokens are never shown.")),
    outbound: Type.Unsafe<Outbound | null>(
      nullable(Outbound, "How mail goes out; null: through the mail server of the installation."),
    ),
    dkim: Type.Unsafe<Dkim | null>(nullable(Dkim, "The private key is never shown.")),
    authserv_id: NullableString,
    signature: Type.String(),
    own_lists: Type.Array(Type.String()),
    status: MailboxStatus,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "Mailbox" },
);
export type MailboxRecord = Static<typeof MailboxRecord>;

/** For the dashboard: what became of the last mail that the mailbox sent to itself. */
export const MailboxTest = Type.Object(
  {
    state: oneOf(["pending", "sending", "sent", "failed", "unknown", "bounced"] as const),
    error: NullableString,
    created_at: Timestamp,
    seen_at: NullableTimestamp,
    conversation_id: NullableInteger,
  },
  { title: "MailboxTest" },
);
export type MailboxTest = Static<typeof MailboxTest>;
