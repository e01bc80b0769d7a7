// Generated from the routes of /dashboard-api by `npm run generate`; not edited by hand.

export interface SetupState {
  needed: boolean;
}

export interface Warning {
  field: string;
  message: string;
}

export interface SetupCheck {
  valid: true;
}

export interface User {
  id: number;
  uuid: string;
  name: string;
  email: string;
}

export type Role = "owner" | "admin" | "agent";

export interface WorkspaceOfSession {
  id: number;
  uuid: string;
  name: string;
  require_two_factor: boolean;
  is_demo: boolean;
}

export interface WorkspaceWithRole {
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
  expires_at: string;
  method: SignInMethod;
  has_password: boolean;
  second_factor: boolean;
  two_factor_needed: boolean;
  language: string | null;
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
  password: boolean;
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
  id: number;
  uuid: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

export interface TwoFactor {
  enabled: boolean;
  required: boolean;
  confirmed: boolean;
  totp: boolean;
  recovery_codes_left: number;
  passkeys: Passkey[];
  wrong_codes: {
    count: number;
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
  id: number;
  ip: string | null;
  user_agent: string | null;
  method: SignInMethod;
  current: boolean;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
}

export interface Invitation {
  id: number;
  uuid: string;
  email: string;
  role: Role;
  invited_by: {
    id: number;
    name: string;
  } | null;
  created_at: string;
  expires_at: string;
  expired: boolean;
}

export interface InvitationWithUrl {
  id: number;
  uuid: string;
  email: string;
  role: Role;
  invited_by: {
    id: number;
    name: string;
  } | null;
  created_at: string;
  expires_at: string;
  expired: boolean;
  url: string;
  emailed: boolean;
}

export interface WorkspaceName {
  id: number;
  uuid: string;
  name: string;
}

export interface InvitationPreview {
  email: string;
  role: Role;
  workspace: WorkspaceName;
  expires_at: string;
  signed_in_as_invited: boolean;
}

export interface Member {
  id: number;
  uuid: string;
  name: string;
  email: string;
  role: Role;
  created_at: string;
  last_seen_at: string | null;
  active_keys: number;
}

export interface PageMeta {
  pagination: {
    total: number;
    total_is_lower_bound?: true;
    per_page: number;
    current_page: number;
    last_page: number;
    from: number;
    to: number;
  };
}

export interface ListCursorMeta {
  next_cursor: string | null;
  has_more: boolean;
}

export interface PageLinks {
  first: string;
  last: string | null;
  prev: string | null;
  next: string | null;
}

export interface InboxSettings {
  assign_on_first_reply: boolean;
}

export interface AlertSettings {
  email_available: boolean;
  email_enabled: boolean;
  slack_host: string | null;
}

export interface AlertTest {
  sent: boolean;
  error: string | null;
}

export type AlertChannel = "email" | "slack";

export interface SubscribedBrowser {
  id: string;
  push_service: string;
  user_agent: string | null;
  current: boolean;
  created_at: string;
}

export interface NotificationSettings {
  assigned: boolean;
  unassigned: boolean;
  mentions: boolean;
  mention_mail: boolean;
  sound: boolean;
  quiet_hours: {
    from: string;
    to: string;
    time_zone: string;
  } | null;
  email_available: boolean;
  push_key: string;
  browsers: SubscribedBrowser[];
}

export interface UnreadOfPerson {
  conversations: number;
}

export type NoticeReason = "mention" | "assigned" | "followed" | "unassigned";

export interface Notice {
  conversation_id: number;
  seq: number;
  reason: NoticeReason;
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
  id: number;
  author: {
    id: number;
    name: string;
  };
  body: string;
  created_at: string;
}

export interface SendingAddress {
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
  at: string;
  attempts: number;
  successes: number;
  delivered: number;
  failed: number;
}

export interface WebhookHealth {
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
  points: WebhookHealthPoint[];
  last_failure: {
    log_id: number;
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
  at: string;
  received: number;
  sent: number;
  delivered: number;
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
    delivered: number;
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
  invited: boolean;
  connected: boolean;
  received: boolean;
  replied: boolean;
  webhook: boolean;
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
  user_id: number;
  contact?: true;
  name: string;
  typing: boolean;
  sending: boolean;
}

export interface UrlVerdict {
  problem: string | null;
  resolves: boolean;
}

export interface WidgetInstallation {
  last_message_at: string | null;
  url: string | null;
}

export interface MailboxTest {
  state: "pending" | "sending" | "sent" | "failed" | "unknown" | "bounced";
  error: string | null;
  created_at: string;
  seen_at: string | null;
  conversation_id: number | null;
}

export interface Error {
  success: false;
  error: {
    code: string;
    message: string;
    details?: Record<string, unknown>;
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
  page?: number;
  per_page?: number;
  search?: string;
}

export interface UpdateMemberBody {
  role: Role;
}

export interface DeleteMemberQuery {
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
  created_after?: string;
  created_before?: string;
}

export interface UpdateInboxSettingBody {
  assign_on_first_reply?: boolean;
}

export interface UpdateAlertSettingBody {
  email_enabled?: boolean;
  slack_url?: string;
}

export interface TestAlertSettingsBody {
  channel: AlertChannel;
}

export interface UpdateNotificationBody {
  assigned?: boolean;
  unassigned?: boolean;
  mentions?: boolean;
  mention_mail?: boolean;
  sound?: boolean;
  quiet_hours?: {
    from: string;
    to: string;
    time_zone: string;
  } | null;
}

export interface CreateNoticeBody {
  messages: {
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
  sending?: boolean;
  gone?: boolean;
}

export interface UrlCheckBody {
  url: string;
}
