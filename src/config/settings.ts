import { LOG_LEVELS } from "../core/logger.ts";
import type { SettingParser } from "./parse.ts";
import * as parse from "./parse.ts";

interface Setting<T> {
  /** Read when the variable is absent or empty. Null: there is no value then. */
  fallback: string | null;
  parse: SettingParser<T>;
  /** Printed in docs/configuration.md, which is tested against this table. */
  about: string;
  /** Its value must never be printed. */
  secret?: true;
}

const setting = <T, F extends string | null>(fallback: F, parser: SettingParser<T>) => ({
  about: (about: string): Setting<T> & { fallback: F } => ({ fallback, parse: parser, about }),
  /** The same for a setting whose value must never be printed. */
  secret: (about: string): Setting<T> & { fallback: F } => ({ fallback, parse: parser, about, secret: true }),
});

/** Every setting there is. Nothing else in the product reads the environment. */
export const SETTINGS = {
  HOST: setting("127.0.0.1", parse.text).about("Address to listen on."),
  PORT: setting("8080", parse.integer(0, 65_535)).about("Port to listen on; 0 takes a free one."),
  DATABASE_URL: setting(null, parse.databaseUrl).secret(
    "Your own PostgreSQL (15 or newer). Absent: the embedded server, in the data directory.",
  ),
  PARLEY_DATABASE_DIRECT_URL: setting(null, parse.databaseUrl).secret(
    "The same database without the connection pooler that `DATABASE_URL` leads to, for notifications between nodes: one connection per process. Absent: as in `DATABASE_URL`.",
  ),
  PARLEY_CELL: setting(null, parse.integer(0, 1023)).about(
    "Which cell this installation is, decided when its database is set up and never changed: 0, or 1 to 1023 where there are others ([growing](growing.md#4-cells)). Absent: the one it was set up as, 0 for a new one.",
  ),
  PARLEY_DATA_DIR: setting("./data", parse.text).about("Where the embedded database and generated keys live."),
  PARLEY_KEEP_ROOT: setting("false", parse.boolean).about(
    "Started as root, Parley continues as another account once it listens, where that account can read the checkout; otherwise it says that it stays root. `true` keeps root.",
  ),
  PARLEY_BACKUP_DIR: setting(null, parse.text).about(
    "Where `serve` writes backups of the embedded database by itself. Absent: it writes none.",
  ),
  PARLEY_BACKUP_HOURS: setting("24", parse.integer(1, 8760)).about("Hours between two scheduled backups."),
  PARLEY_BACKUP_KEEP: setting("7", parse.integer(1, 1000)).about("Scheduled backups that are kept, the newest ones."),
  PARLEY_BACKUP_PASSPHRASE: setting(null, parse.minLength(12)).secret(
    "Seals the secret key in a backup (`backup --with-secret-key`) and opens it on restore; 12 characters or more.",
  ),
  PARLEY_PUBLIC_URL: setting(null, parse.baseUrl).about(
    "The address clients use: for links, e-mails, passkeys and secure cookies. Needed wherever the dashboard is opened by a host name: without it, and without a trusted proxy, signing in works only by IP address or `localhost`. Absent: the host of the request.",
  ),
  PARLEY_BOOTSTRAP_API_KEY: setting(null, parse.minLength(32)).secret(
    "After start an active `full` key with abilities `*`, tier `unlimited` and exactly this secret exists. 32 characters or more; a changed value replaces it.",
  ),
  PARLEY_SECRET_KEY: setting(null, parse.secretKeys).secret(
    "Seals webhook secrets and header values at rest; 32 characters or more. Several, comma separated: the first seals, all open. Absent: a generated file of mode 0600 in the data directory.",
  ),
  PARLEY_ALLOWED_CIDRS: setting("", parse.cidrs).about(
    "Private ranges that webhooks may reach, comma separated, e.g. `127.0.0.0/8`.",
  ),
  PARLEY_WEBHOOK_HTTPS_ONLY: setting("false", parse.boolean).about("Refuses `http://` for new or changed webhooks."),
  PARLEY_WEBHOOK_PORTS: setting(null, parse.portRanges).about(
    "Ports that new or changed webhooks may use, e.g. `80,443,8000-8999`. Absent: every port but those of other well-known services (SSH, mail, databases, caches).",
  ),
  PARLEY_DNS_SERVERS: setting("", parse.list).about(
    "Name servers that resolve webhook hosts, as `address` or `address:port`, comma separated. Absent: those of the system.",
  ),
  PARLEY_EGRESS_PROXY: setting(null, parse.proxyUrl).secret(
    "A proxy that webhooks, alerts and pushes go through, as `http://user:password@host:port`. It is asked by CONNECT for addresses that the guard has checked. Absent: they connect directly.",
  ),
  PARLEY_TRUSTED_PROXIES: setting("", parse.cidrs).about(
    "Addresses or CIDRs of your reverse proxies. Only from these does `X-Forwarded-For` count.",
  ),
  PARLEY_RETRY_SCHEDULE: setting("5,30,120,600,1800,3600,7200,21600,43200,86400", parse.retrySchedule).about(
    "Seconds before each retry, comma separated; the last repeats when a webhook asks for more.",
  ),
  PARLEY_RATE_LIMIT_TIERS: setting("", parse.rateLimitTiers).about(
    "Requests and seconds of each tier, e.g. `low=60/60,standard=1000/60,mine=unlimited`, merged over the defaults.",
  ),
  PARLEY_WORKSPACE_RATE_LIMIT: setting(null, parse.rateLimit).about(
    "Requests and seconds of all limited API keys of one workspace together, e.g. `1000/60`, or `unlimited`. Keys of an unlimited tier do not count. Absent: ten times the largest tier with a limit, `100000/60` with the default tiers.",
  ),
  PARLEY_AUTH_FAILURES_PER_MINUTE: setting("1000", parse.integer(1, 1_000_000)).about(
    "Failed authentications per minute from one client address before further ones receive a 429.",
  ),
  PARLEY_API_KEYS_MAX: setting("10000", parse.integer(1, 1_000_000)).about(
    "API keys of one workspace that are not revoked, at most.",
  ),
  PARLEY_WEBHOOKS_MAX: setting("10000", parse.integer(1, 1_000_000)).about("Webhooks of one workspace, at most."),
  PARLEY_CONNECTIONS_MAX: setting("20000", parse.integer(16, 1_000_000)).about(
    "Client connections of one process; less where the limit of open files leaves too few descriptors to the database.",
  ),
  PARLEY_CONNECTIONS_PER_ADDRESS_MAX: setting("512", parse.integer(1, 1_000_000)).about(
    "Client connections from one address (an IPv6 address by its /64). Loopback and trusted proxies are exempt.",
  ),
  PARLEY_CORS_ORIGINS: setting("", parse.origins).about(
    "Exact origins whose scripts may call the API with a key, comma separated, e.g. `https://app.example.com`. Absent: none.",
  ),
  PARLEY_STREAMS_PER_KEY_MAX: setting("50", parse.integer(1, 5_000)).about(
    "Event streams open at once per API key, or per person, on one node.",
  ),
  PARLEY_STREAMS_PER_WORKSPACE_MAX: setting("200", parse.integer(1, 5_000)).about(
    "Event streams open at once per workspace, on one node.",
  ),
  PARLEY_VISITOR_STREAMS_MAX: setting("5000", parse.integer(1, 100_000)).about(
    "Streams of widget visitors open at once on one node. They do not count as streams of the workspace.",
  ),
  PARLEY_WIDGET_MESSAGES_PER_MINUTE: setting("20", parse.integer(1, 100_000)).about(
    "Messages per minute of one session of a widget's visitor.",
  ),
  PARLEY_WIDGET_SESSIONS_PER_ADDRESS: setting("10", parse.integer(1, 100_000)).about(
    "New sessions of visitors per minute from one address (an IPv6 address by its /64).",
  ),
  PARLEY_WIDGET_SESSIONS_PER_WIDGET: setting("200", parse.integer(1, 1_000_000)).about(
    "New sessions of visitors per minute and widget.",
  ),
  PARLEY_WIDGET_MAIL_MINUTES: setting("5", parse.minutes).about(
    "How long a visitor of a widget with a mailbox has to see a reply before it goes to them by e-mail. Up to a day.",
  ),
  PARLEY_BODY_BYTES_MAX: setting("1048576", parse.integer(1024, 104_857_600)).about("Largest request body, in bytes."),
  PARLEY_FILE_BYTES_MAX: setting("26214400", parse.integer(1, 1_073_741_824)).about("Largest uploaded file, in bytes."),
  PARLEY_FILE_BYTES_PER_WORKSPACE_MAX: setting("10737418240", parse.integer(1, Number.MAX_SAFE_INTEGER)).about(
    "Bytes of all files of one workspace, at most.",
  ),
  PARLEY_DATABASE_POOL: setting("12", parse.integer(2, 200)).about(
    "Database connections of one process for its API, at most; delivery takes 6 more and the shared rate limits 2.",
  ),
  PARLEY_DELIVERY_CONCURRENCY: setting("1024", parse.integer(1, 100_000)).about(
    "Webhook attempts in flight in one process, at most.",
  ),
  // A lane's window (queue/lane-policy.ts) never grows beyond 1,000.
  PARLEY_WEBHOOK_CONCURRENCY: setting("256", parse.integer(1, 1_000)).about(
    "Attempts in flight to one webhook, over all processes, at most (1 to 1,000).",
  ),
  PARLEY_RETENTION_DAYS: setting("30", parse.integer(1, 3650)).about("Days that events and delivery logs are kept."),
  PARLEY_LAME_DUCK_SECONDS: setting("4", parse.integer(0, 600)).about(
    "After SIGTERM `serve` reports 503 on `/health/ready` and keeps serving requests for this many seconds before it stops, so that load balancers notice first. Ctrl+C does not wait.",
  ),
  PARLEY_METRICS_PORT: setting(null, parse.integer(0, 65_535)).about(
    "Serves Prometheus metrics at `/metrics` on this port of `HOST`. Absent: no metrics.",
  ),
  PARLEY_TRACES_URL: setting(null, parse.httpUrl).about(
    "Sends OpenTelemetry traces over OTLP and HTTP (JSON) to this address of a collector, e.g. `http://127.0.0.1:4318/v1/traces`. Absent: no traces.",
  ),
  PARLEY_TRACES_HEADERS: setting("", parse.headerList).secret(
    "Headers for the collector, as `name=value`, comma separated; for a key it asks for.",
  ),
  PARLEY_TRACES_PERCENT: setting("100", parse.integer(1, 100)).about(
    "The percentage of traces that is recorded, of those that begin at Parley. For a request with a `traceparent` its client has decided.",
  ),
  PARLEY_MCP_ALLOW_SEND: setting("false", parse.boolean).about(
    "Offers the tools that send messages to customers at `/mcp` too. Customer text is untrusted input: leave it off where an assistant acts on its own.",
  ),
  PARLEY_URL: setting(null, parse.httpUrl).about(
    "The server that `listen`, `trigger`, `events`, `consume`, `webhooks`, `logs`, `replay`, `api` and `mcp` talk to. Absent: the one of `PORT` if that is set, else the one that was started last with this data directory.",
  ),
  PARLEY_KEY: setting(null, parse.text).secret(
    "The API key these commands use. Absent, and no `PARLEY_URL`: a key of their own, kept in the data directory.",
  ),
  PARLEY_REQUIRE_TWO_FACTOR: setting("false", parse.boolean).about(
    "Whether everybody who signs in to the dashboard needs a second factor, in every workspace.",
  ),
  PARLEY_OIDC_ISSUER: setting(null, parse.issuerUrl).about(
    "Single sign-on: the address of your OpenID Connect provider; https, unless it is on this machine. Register `<public URL>/sign-in/sso` there as the redirect address.",
  ),
  PARLEY_OIDC_CLIENT_ID: setting(null, parse.text).about("Single sign-on: the client id that the provider gave you."),
  PARLEY_OIDC_CLIENT_SECRET: setting(null, parse.text).secret(
    "Single sign-on: the client secret. Absent: a public client, with PKCE alone.",
  ),
  PARLEY_OIDC_NAME: setting("single sign-on", parse.text).about("What the button is called: `Sign in with …`."),
  PARLEY_OIDC_ONLY: setting("false", parse.boolean).about(
    "Whether single sign-on is the only way in: passwords and passkeys then no longer sign in, and sessions that they opened end.",
  ),
  PARLEY_OIDC_WORKSPACE: setting(null, parse.integer(1, Number.MAX_SAFE_INTEGER)).about(
    "Id of the workspace that people join when they sign in through the provider without an invitation. Absent: they are refused.",
  ),
  PARLEY_OIDC_ROLE: setting("agent", parse.oneOf(["agent", "admin"] as const)).about(
    "The role with which they join: `agent` or `admin`.",
  ),
  PARLEY_SMTP_URL: setting(null, parse.smtpUrl).secret(
    "Your mail server, as `smtp://user:password@host:587`, or `smtps://` where TLS begins with the connection. Needs `PARLEY_MAIL_FROM` and `PARLEY_PUBLIC_URL`. Absent: no e-mail is sent.",
  ),
  PARLEY_SMTP_TLS: setting("required", parse.oneOf(["required", "dangerous-off"] as const)).about(
    "With `required` mail is sent only over TLS, to a server whose certificate is valid for its name. `dangerous-off` sends without TLS, for a relay on the same machine or network; a password is then refused unless the server is on this machine.",
  ),
  PARLEY_MAIL_FROM: setting(null, parse.mailbox).about(
    "The sender of e-mails, as `alerts@example.com` or `Parley <alerts@example.com>`.",
  ),
  PARLEY_MAIL_DOMAINS: setting("", parse.domains).about(
    "Domains of mailboxes that use this installation's own receiver or its mail server (`PARLEY_SMTP_URL`), comma separated, e.g. `example.com`. Absent: no mailbox has `inbound` of type `smtp`, and only the mailboxes of one workspace may use the mail server.",
  ),
  PARLEY_MAIL_PORTS: setting("", parse.portRanges).about(
    "Ports at which mailboxes may reach their mail servers in addition to 24, 25, 110, 143, 465, 587, 993 and 2525, e.g. `1143,1587`.",
  ),
  PARLEY_MAIL_BYTES_MAX: setting("41943040", parse.integer(1024, 104_857_600)).about(
    "Largest mail that is received, in bytes.",
  ),
  PARLEY_SMTP_PORT: setting(null, parse.integer(0, 65_535)).about(
    "Port on which this installation receives mail by SMTP, for mailboxes with `inbound` of type `smtp` and nobody else; 0 takes a free one. Absent: it does not.",
  ),
  PARLEY_SMTP_HOST: setting(null, parse.text).about(
    "Address on which it listens for SMTP, e.g. `0.0.0.0`, where other mail servers reach it directly. Absent: that of `HOST`.",
  ),
  PARLEY_SMTP_TLS_CERT: setting(null, parse.text).about(
    "File with the certificate chain (PEM) with which it offers STARTTLS; read again when it has changed. Needs `PARLEY_SMTP_TLS_KEY`. Absent: STARTTLS is not offered.",
  ),
  PARLEY_SMTP_TLS_KEY: setting(null, parse.text).about("File with the private key (PEM) of that certificate."),
  PARLEY_LMTP_PORT: setting(null, parse.integer(0, 65_535)).about(
    "Port of `HOST` on which it receives the same mail by LMTP, from a mail server of yours; 0 takes a free one. Absent: it does not.",
  ),
  PARLEY_MAIL_RETRY_SCHEDULE: setting("5,30,120,600,1800,3600", parse.retrySchedule).about(
    "Seconds before each further attempt to send a mail, comma separated; the last repeats.",
  ),
  PARLEY_MAIL_GIVE_UP_HOURS: setting("48", parse.integer(1, 8760)).about(
    "Hours after which a mail that no server has accepted is `failed`.",
  ),
  PARLEY_MAIL_PER_HOUR: setting("1000", parse.integer(1, 1_000_000)).about(
    "Mails that one mailbox sends per hour, at most; what is above waits.",
  ),
  PARLEY_MAIL_TIMEOUT_SECONDS: setting("60", parse.integer(1, 600)).about(
    "How long a mail server may be silent before an attempt ends; five times as long while it looks at a mail that it has got.",
  ),
  PARLEY_ALERT_BACKLOG_MINUTES: setting("15", parse.integer(1, 1440)).about(
    "Owners and admins get an alert when deliveries to destinations that work are late by this many minutes.",
  ),
  PARLEY_ALERT_CONSUMER_MINUTES: setting("60", parse.integer(1, 10_080)).about(
    "Owners and admins get an alert when an event has waited for a consumer for this many minutes.",
  ),
  PARLEY_LOG_LEVEL: setting("info", parse.oneOf(LOG_LEVELS)).about(`One of ${LOG_LEVELS.join(", ")}.`),
};
