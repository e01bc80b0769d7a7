// Generated from the routes of /dashboard-api by `npm run generate`; not edited by hand.

export interface SetupState {
  needed: boolean;
}

export interface Warning {
  /** The unknown field or query parameter; a dotted path where it is inside another. */
  field: string;
  /** What is wrong with it, with the nearest known name. */
  message: string;
}

export interface SetupCheck {
  valid: true;
}

export interface User {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  name: string;
  email: string;
}

export type Role = "owner" | "admin" | "agent";

export interface WorkspaceOfSession {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  name: string;
  require_two_factor: boolean;
  is_demo: boolean;
}

export interface WorkspaceWithRole {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  name: string;
  require_two_factor: boolean;
  is_demo: boolean;
  role: Role;
}

export type Scope = "api-keys:manage" | "webhooks:manage" | "widgets:manage" | "conversations:read" | "conversations:write" | "messages:read" | "messages:write" | "drafts:read" | "drafts:write" | "contacts:read" | "contacts:write" | "mailboxes:manage" | "mailboxes:ingest" | "events:read" | "consumers:manage" | "audit:read";

export type SignInMethod = "password" | "passkey" | "sso";

export interface Session {
  user: User;
  role: Role;
  workspace: WorkspaceOfSession;
  workspaces: WorkspaceWithRole[];
  scopes: Scope[];
  /** UTC, second precision. */
  expires_at: string;
  method: SignInMethod;
  /** False: the account signs in through single sign-on alone. */
  has_password: boolean;
  /** This sign-in used a second factor. */
  second_factor: boolean;
  /** Everything else is refused until a second factor is set up. */
  two_factor_needed: boolean;
  /** Of the dashboard, as the user chose; null: as the browser says. */
  language: string | null;
  /** The newest event's position when the session was read: a stream that begins here misses nothing that is read later. */
  events_cursor?: string;
}

export type SecondFactor = "totp" | "passkey" | "recovery_code";

export interface TwoFactorChallenge {
  token: string;
  methods: SecondFactor[];
  passkey_options: Record<string, unknown> | null;
}

export interface SignInResult {
  session?: Session;
  two_factor?: TwoFactorChallenge;
}

export interface SignedOut {
  signed_out: true;
  sessions?: number;
}

export interface PasskeyChallenge {
  token: string;
  options: Record<string, unknown>;
}

export interface SignInOptions {
  /** Passwords and passkeys sign in; otherwise only single sign-on does. */
  password: boolean;
  /** A forgotten password can be replaced by a link in an e-mail. */
  password_reset: boolean;
  sso: {
    name: string;
  } | null;
}

export interface SsoStart {
  url: string;
  token: string;
}

export interface PasswordResetRequest {
  accepted: true;
}

export interface PasswordResetCheck {
  valid: true;
}

export interface PasswordReset {
  reset: true;
}

export interface Passkey {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  name: string;
  /** UTC, second precision. */
  created_at: string;
  last_used_at: string | null;
}

export interface TwoFactor {
  enabled: boolean;
  required: boolean;
  /** The password was checked recently; changes are possible now. */
  confirmed: boolean;
  totp: boolean;
  recovery_codes_left: number;
  passkeys: Passkey[];
  /** Wrong codes after the right password, ten or more, until they are dismissed. */
  wrong_codes: {
    count: number;
    /** UTC, second precision. */
    last_at: string;
    last_ip: string | null;
  } | null;
}

export interface Confirmed {
  confirmed: true;
}

export interface TotpEnrolment {
  secret: string;
  uri: string;
  qr_svg: string;
}

export interface RecoveryCodes {
  recovery_codes: string[] | null;
}

export interface SessionEntry {
  /** Numeric identifier. */
  id: number;
  ip: string | null;
  user_agent: string | null;
  method: SignInMethod;
  current: boolean;
  /** UTC, second precision. */
  created_at: string;
  /** UTC, second precision. */
  last_seen_at: string;
  /** UTC, second precision. */
  expires_at: string;
}

export interface Invitation {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  email: string;
  role: Role;
  invited_by: {
    /** Numeric identifier. */
    id: number;
    name: string;
  } | null;
  /** UTC, second precision. */
  created_at: string;
  /** UTC, second precision. */
  expires_at: string;
  expired: boolean;
}

export interface InvitationWithUrl {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  email: string;
  role: Role;
  invited_by: {
    /** Numeric identifier. */
    id: number;
    name: string;
  } | null;
  /** UTC, second precision. */
  created_at: string;
  /** UTC, second precision. */
  expires_at: string;
  expired: boolean;
  url: string;
  /** The link was also sent to the address by e-mail. */
  emailed: boolean;
}

export interface WorkspaceName {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  name: string;
}

export interface InvitationPreview {
  email: string;
  role: Role;
  workspace: WorkspaceName;
  /** UTC, second precision. */
  expires_at: string;
  signed_in_as_invited: boolean;
}

export interface Member {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  name: string;
  email: string;
  role: Role;
  /** UTC, second precision. */
  created_at: string;
  last_seen_at: string | null;
  active_keys: number;
}

export interface PageMeta {
  pagination: {
    total: number;
    /** There may be more than `total` records: those of a filtered list are counted up to 1000. */
    total_is_lower_bound?: true;
    per_page: number;
    current_page: number;
    last_page: number;
    /** Number of the first record on this page; 0 when there is none. */
    from: number;
    to: number;
  };
}

export interface ListCursorMeta {
  /** Where to continue; null at the end. */
  next_cursor: string | null;
  has_more: boolean;
}

export interface PageLinks {
  first: string;
  /** Null where the total is a lower bound or the last page is too deep. */
  last: string | null;
  prev: string | null;
  next: string | null;
}

export interface InboxSettings {
  /** The first public reply of a person in a conversation without assignee assigns it to that person. */
  assign_on_first_reply: boolean;
}

export interface AlertSettings {
  /** A mail server is configured. */
  email_available: boolean;
  /** Owners and admins get alerts by e-mail. */
  email_enabled: boolean;
  /** Host of the chat's incoming webhook; the rest of its URL is a secret and not shown. */
  slack_host: string | null;
}

export interface AlertTest {
  sent: boolean;
  error: string | null;
}

export type AlertChannel = "email" | "slack";

export interface SubscribedBrowser {
  id: string;
  /** Its host. */
  push_service: string;
  user_agent: string | null;
  /** The browser of this request. */
  current: boolean;
  /** UTC, second precision. */
  created_at: string;
}

export interface NotificationSettings {
  /** Messages in conversations that are assigned to you. */
  assigned: boolean;
  /** Customers' messages in conversations that nobody has. */
  unassigned: boolean;
  /** Notes that mention you, and what follows in those conversations. */
  mentions: boolean;
  /** An e-mail about such a note if you have been away for ten minutes. */
  mention_mail: boolean;
  sound: boolean;
  /** No push and no sound between these local times, written as `HH:MM`; null: at any hour. */
  quiet_hours: {
    from: string;
    to: string;
    time_zone: string;
  } | null;
  /** A mail server is configured. */
  email_available: boolean;
  /** What a browser subscribes to pushes with. */
  push_key: string;
  /** Your browsers that get pushes, in every workspace. */
  browsers: SubscribedBrowser[];
}

export interface UnreadOfPerson {
  conversations: number;
}

export type NoticeReason = "mention" | "assigned" | "followed" | "unassigned";

export interface Notice {
  /** Numeric identifier. */
  conversation_id: number;
  seq: number;
  reason: NoticeReason;
  /** Up to which message you have read the conversation. */
  read_seq: number;
}

export interface PushSubscribed {
  subscribed: boolean;
}

export interface PushTest {
  sent: boolean;
  error: string | null;
}

export interface ContactNote {
  /** Numeric identifier. */
  id: number;
  author: {
    /** Numeric identifier. */
    id: number;
    name: string;
  };
  body: string;
  /** UTC, second precision. */
  created_at: string;
}

export interface SendingAddress {
  /** Numeric identifier. */
  id: number;
  name: string;
  address: string;
  from_name: string | null;
}

export interface Recipient {
  name: string | null;
  address: string;
}

export interface ReplyDefaults {
  mailbox: SendingAddress;
  to: Recipient[];
  cc: Recipient[];
  everyone: {
    to: Recipient[];
    cc: Recipient[];
  };
  subject: string;
}

export type UsageRange = "24h" | "7d" | "30d" | "90d";

export interface UsagePoint {
  /** UTC, second precision. */
  at: string;
  requests: number;
  errors_4xx: number;
  errors_5xx: number;
}

export interface UsageTotals {
  requests: number;
  errors_4xx: number;
  errors_5xx: number;
}

export interface Usage {
  range: UsageRange;
  bucket: "hour" | "day";
  api_key_id: number | null;
  points: UsagePoint[];
  totals: UsageTotals;
}

export interface WebhookHealthPoint {
  /** UTC, second precision. */
  at: string;
  attempts: number;
  successes: number;
  delivered: number;
  failed: number;
}

export interface WebhookHealth {
  /** Numeric identifier. */
  webhook_id: number;
  uuid: string;
  name: string;
  is_active: boolean;
  disabled_reason: string | null;
  failing_since: string | null;
  attempts: number;
  successes: number;
  delivered: number;
  failed: number;
  retrying: number;
  points: WebhookHealthPoint[];
  last_failure: {
    /** Numeric identifier. */
    log_id: number;
    /** UTC, second precision. */
    at: string;
    response_code: number;
    error_message: string | null;
  } | null;
}

export interface EventOutcome {
  event_id: string;
  webhooks: number;
  delivered: number;
  pending: number;
  canceled: number;
}

export type OverviewRange = "24h" | "7d" | "30d";

export interface OverviewPoint {
  /** UTC, second precision. */
  at: string;
  received: number;
  sent: number;
  /** Events that arrived, however many attempts it took. */
  delivered: number;
  /** Events that will not be retried. */
  failed: number;
  requests: number;
  errors_4xx: number;
  errors_5xx: number;
}

export interface Overview {
  range: OverviewRange;
  bucket: "hour" | "day";
  conversations: {
    open: number;
    waiting: number;
    waiting_over_an_hour: {
      count: number;
      is_lower_bound: boolean;
    };
  };
  first_response: {
    responses: number;
    median_seconds: number | null;
  };
  totals: {
    received: number;
    sent: number;
    /** Events that arrived, however many attempts it took. */
    delivered: number;
    /** Events that will not be retried. */
    failed: number;
    requests: number;
    errors_4xx: number;
    errors_5xx: number;
  };
  latency: {
    p50_ms: number | null;
    p95_ms: number | null;
  };
  backlog: {
    pending: number;
    overdue: number;
    overdue_since: string | null;
  };
  backups: "scheduled" | "missing" | "external";
  points: OverviewPoint[];
}

export interface FirstSteps {
  /** There is a second member, or an invitation. */
  invited: boolean;
  /** There is a widget or a mailbox. */
  connected: boolean;
  /** A customer has written. */
  received: boolean;
  /** A person has replied. */
  replied: boolean;
  /** Something was sent to a webhook. */
  webhook: boolean;
  /** A manager has hidden them. */
  hidden: boolean;
}

export interface Catalogue {
  scopes: {
    name: "api-keys:manage" | "webhooks:manage" | "widgets:manage" | "conversations:read" | "conversations:write" | "messages:read" | "messages:write" | "drafts:read" | "drafts:write" | "contacts:read" | "contacts:write" | "mailboxes:manage" | "mailboxes:ingest" | "events:read" | "consumers:manage" | "audit:read";
    description: string;
  }[];
  key_types: {
    type: "full" | "limited" | "webhook" | "bot";
    scopes: ("api-keys:manage" | "webhooks:manage" | "widgets:manage" | "conversations:read" | "conversations:write" | "messages:read" | "messages:write" | "drafts:read" | "drafts:write" | "contacts:read" | "contacts:write" | "mailboxes:manage" | "mailboxes:ingest" | "events:read" | "consumers:manage" | "audit:read")[];
    /** Each ability with the scopes that a key of this type has by it. */
    abilities: {
      name: string;
      scopes: ("api-keys:manage" | "webhooks:manage" | "widgets:manage" | "conversations:read" | "conversations:write" | "messages:read" | "messages:write" | "drafts:read" | "drafts:write" | "contacts:read" | "contacts:write" | "mailboxes:manage" | "mailboxes:ingest" | "events:read" | "consumers:manage" | "audit:read")[];
    }[];
  }[];
  rate_limit_tiers: {
    name: string;
    requests: number | null;
    seconds: number | null;
  }[];
  retry_schedule_seconds: number[];
}

export interface Present {
  /** Of a contact its own id. */
  user_id: number;
  /** The contact, who types in a widget. */
  contact?: true;
  name: string;
  typing: boolean;
  sending: boolean;
}

export interface UrlVerdict {
  problem: string | null;
  /** False if this server finds no address for the name. */
  resolves: boolean;
}

export interface WidgetInstallation {
  last_message_at: string | null;
  url: string | null;
}

export interface MailboxTest {
  state: "pending" | "sending" | "sent" | "failed" | "unknown" | "bounced";
  error: string | null;
  /** UTC, second precision. */
  created_at: string;
  seen_at: string | null;
  conversation_id: number | null;
}

export interface Error {
  success: false;
  error: {
    code: string;
    message: string;
    /** The invalid fields, each with what is wrong. */
    details?: Record<string, string[]>;
    /** Seconds. */
    retry_after?: number;
    request_id?: string;
  };
}

export interface SetupBody {
  token: string;
  name: string;
  email: string;
  password: string;
  workspace_name?: string;
}

export interface SetupCheckBody {
  token: string;
}

export interface SignInBody {
  email: string;
  password: string;
}

export interface SecondSignInFactorBody {
  token: string;
  code?: string;
  recovery_code?: string;
  passkey?: Record<string, unknown>;
}

export interface PasskeySignInBody {
  token: string;
  passkey: Record<string, unknown>;
}

export interface FinishSsoBody {
  token: string;
  search: string;
  invitation_token?: string;
  setup_token?: string;
  workspace_name?: string;
}

export interface PasswordResetRequestBody {
  email: string;
}

export interface PasswordResetCheckBody {
  token: string;
}

export interface PasswordResetBody {
  token: string;
  password: string;
}

export interface ConfirmPasswordBody {
  password: string;
}

export interface ConfirmTotpBody {
  code: string;
}

export interface CreatePasskeyBody {
  token: string;
  name: string;
  response: Record<string, unknown>;
}

export interface UpdateProfileBody {
  name?: string;
  /** Of the dashboard; empty: as the browser says. */
  language?: "en" | "de" | "es" | "fr" | "pt-BR" | "";
  password?: string;
  current_password?: string;
}

export interface CreateInvitationBody {
  email: string;
  role: Role;
}

export interface InvitationPreviewBody {
  token: string;
}

export interface AcceptInvitationBody {
  token: string;
  name?: string;
  password?: string;
}

export interface ListMembersQuery {
  /** Page number, from 1. */
  page?: number;
  /** Records per page; 25 by default. */
  per_page?: number;
  /** Part of a name or an e-mail address. */
  search?: string;
}

export interface UpdateMemberBody {
  role: Role;
}

export interface DeleteMemberQuery {
  /** Also revokes the API keys that they created. */
  revoke_keys?: boolean;
}

export interface CreateWorkspaceBody {
  name: string;
}

export interface UpdateWorkspaceBody {
  name?: string;
  require_two_factor?: boolean;
}

export interface GetAuditExportQuery {
  format?: "json" | "csv";
  action?: "api_key.created" | "api_key.updated" | "api_key.paused" | "api_key.resumed" | "api_key.rotated" | "api_key.old_secret_revoked" | "api_key.revoked" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.enabled" | "webhook.disabled" | "webhook.secret_read" | "webhook.secret_rotated" | "mailbox.created" | "mailbox.updated" | "mailbox.deleted" | "mailbox.paused" | "mailbox.resumed" | "widget.created" | "widget.updated" | "widget.deleted" | "widget.secret_read" | "widget.secret_rotated" | "consumer.created" | "consumer.updated" | "consumer.reset" | "consumer.deleted" | "view.created" | "view.updated" | "view.deleted" | "contact.blocked" | "contact.unblocked" | "contact.sessions_ended" | "member.added" | "member.role_changed" | "member.removed" | "invitation.created" | "invitation.revoked" | "invitation.accepted" | "user.signed_in" | "user.sign_in_failed" | "user.signed_out" | "user.renamed" | "user.password_changed" | "user.password_check_failed" | "user.password_reset_requested" | "user.password_reset" | "user.two_factor_enabled" | "user.two_factor_disabled" | "user.recovery_codes_replaced" | "user.passkey_added" | "user.passkey_removed" | "user.sso_linked" | "user.sso_unlinked" | "user.notifications_changed" | "user.push_enabled" | "user.push_disabled" | "workspace.alert_settings_changed" | "workspace.created" | "workspace.inbox_settings_changed" | "workspace.renamed" | "workspace.updated";
  resource_type?: "api_key" | "webhook" | "widget" | "consumer" | "contact" | "user" | "invitation" | "workspace" | "mailbox" | "view";
  resource_id?: number;
  actor_id?: number;
  /** At this time or later; any ISO 8601 form. */
  created_after?: string;
  /** Before this time. */
  created_before?: string;
}

export interface UpdateInboxSettingBody {
  /** The first public reply of a person in a conversation without assignee assigns it to that person. */
  assign_on_first_reply?: boolean;
}

export interface UpdateAlertSettingBody {
  email_enabled?: boolean;
  /** An incoming webhook URL of Slack; an empty string removes it. */
  slack_url?: string;
}

export interface TestAlertSettingsBody {
  channel: AlertChannel;
}

export interface UpdateNotificationBody {
  /** Messages in conversations that are assigned to you. */
  assigned?: boolean;
  /** Customers' messages in conversations that nobody has. */
  unassigned?: boolean;
  /** Notes that mention you, and what follows in those conversations. */
  mentions?: boolean;
  /** An e-mail about such a note if you have been away for ten minutes. */
  mention_mail?: boolean;
  sound?: boolean;
  /** No push and no sound between these local times, written as `HH:MM`; null: at any hour. */
  quiet_hours?: {
    from: string;
    to: string;
    time_zone: string;
  } | null;
}

export interface CreateNoticeBody {
  messages: {
    /** Numeric identifier. */
    conversation_id: number;
    seq: number;
    from_contact: boolean;
  }[];
}

export interface SubscribeToPushesBody {
  endpoint: string;
  keys: {
    p256dh: string;
    auth: string;
  };
}

export interface CreateNoteBody {
  body: string;
}

export interface GetUsageQuery {
  api_key_id?: number;
  range?: UsageRange;
}

export interface ListWebhookHealthQuery {
  webhook_id?: number;
}

export interface ListEventOutcomesQuery {
  /** Comma separated. */
  event_ids: string;
}

export interface GetOverviewQuery {
  range?: OverviewRange;
}

export interface UpdateFirstStepBody {
  hidden: boolean;
}

export interface AnnouncePresenceBody {
  conversation_id: number;
  typing?: boolean;
  /** A reply can still be undone, or is on its way. */
  sending?: boolean;
  /** It is not open any more. */
  gone?: boolean;
}

export interface UrlCheckBody {
  url: string;
}
