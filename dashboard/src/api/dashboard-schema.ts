// Generated from the routes of /dashboard-api by `npm run generate`; not edited by hand.

export interface SetupState {
  needed: boolean;
}

export interface User {
  id: number;
  uuid: string;
  name: string;
  email: string;
}

export type Role = "owner" | "admin" | "agent";

export interface WorkspaceName {
  id: number;
  uuid: string;
  name: string;
}

export interface WorkspaceWithRole {
  id: number;
  uuid: string;
  name: string;
  role: Role;
}

export type Scope = "api-keys:manage" | "webhooks:manage" | "conversations:read" | "conversations:write" | "messages:read" | "messages:write" | "drafts:read" | "drafts:write" | "contacts:read" | "contacts:write" | "events:read" | "audit:read";

export interface Session {
  user: User;
  role: Role;
  workspace: WorkspaceName;
  workspaces: WorkspaceWithRole[];
  scopes: Scope[];
  expires_at: string;
}

export interface SignedOut {
  signed_out: true;
  sessions?: number;
}

export type SignInMethod = "password" | "passkey" | "sso";

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
  points: WebhookHealthPoint[];
  last_failure: {
    log_id: number;
    at: string;
    response_code: number;
    error_message: string | null;
  } | null;
}

export interface Catalogue {
  scopes: {
    name: "api-keys:manage" | "webhooks:manage" | "conversations:read" | "conversations:write" | "messages:read" | "messages:write" | "drafts:read" | "drafts:write" | "contacts:read" | "contacts:write" | "events:read" | "audit:read";
    description: string;
  }[];
  key_types: {
    type: "full" | "limited" | "webhook" | "bot";
    scopes: ("api-keys:manage" | "webhooks:manage" | "conversations:read" | "conversations:write" | "messages:read" | "messages:write" | "drafts:read" | "drafts:write" | "contacts:read" | "contacts:write" | "events:read" | "audit:read")[];
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
  name: string;
  typing: boolean;
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

export interface SignInBody {
  email: string;
  password: string;
}

export interface UpdateProfileBody {
  name?: string;
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

export interface UpdateMemberBody {
  role: Role;
}

export interface CreateWorkspaceBody {
  name: string;
}

export interface UpdateWorkspaceBody {
  name: string;
}

export interface GetUsageQuery {
  api_key_id?: number;
  range?: UsageRange;
}

export interface ListWebhookHealthQuery {
  webhook_id?: number;
}

export interface AnnouncePresenceBody {
  conversation_id: number;
  typing?: boolean;
}
