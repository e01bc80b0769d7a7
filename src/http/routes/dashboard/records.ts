import { Type } from "typebox";
import { EMAIL_CHARS_MAX } from "../../../accounts/email.ts";
import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from "../../../accounts/passwords.ts";
import { ROLES } from "../../../accounts/roles.ts";
import { SIGN_IN_METHODS } from "../../../accounts/sessions.ts";
import { SECOND_FACTORS } from "../../../accounts/two-factor.ts";
import { SCOPES } from "../../../auth/scopes.ts";
import { NAME_PATTERN } from "../../../core/control-characters.ts";
import {
  Id,
  NullableString,
  NullableTimestamp,
  nullable,
  nullableString,
  oneOf,
  Timestamp,
  Uuid,
} from "../../../resources/common.ts";

/** What people type. */
export const Name = Type.String({ trim: true, minLength: 1, maxLength: 255, pattern: NAME_PATTERN });
export const Email = Type.String({ trim: true, minLength: 1, maxLength: EMAIL_CHARS_MAX });
export const NewPassword = Type.String({ minLength: PASSWORD_CHARS_MIN, maxLength: PASSWORD_CHARS_MAX });
/** One that is compared and not stored: only its greatest length is checked. */
export const GivenPassword = Type.String({ minLength: 1, maxLength: PASSWORD_CHARS_MAX });
export const Token = Type.String({ minLength: 1, maxLength: 128 });
export const RoleName = oneOf(ROLES, { title: "Role" });

const NAMED = { id: Id, uuid: Uuid, name: Type.String() };
const WORKSPACE = { ...NAMED, require_two_factor: Type.Boolean(), is_demo: Type.Boolean() };
const WorkspaceName = Type.Object(NAMED, { title: "WorkspaceName" });
const WorkspaceOfSession = Type.Object(WORKSPACE, { title: "WorkspaceOfSession" });
export const WorkspaceWithRole = Type.Object({ ...WORKSPACE, role: RoleName }, { title: "WorkspaceWithRole" });

const USER = { id: Id, uuid: Uuid, name: Type.String(), email: Type.String() };

export const SessionRecord = Type.Object(
  {
    user: Type.Object(USER, { title: "User" }),
    role: RoleName,
    workspace: WorkspaceOfSession,
    workspaces: Type.Array(WorkspaceWithRole),
    scopes: Type.Array(oneOf(SCOPES, { title: "Scope" })),
    expires_at: Timestamp,
    method: oneOf(SIGN_IN_METHODS, { title: "SignInMethod" }),
    has_password: Type.Boolean({ description: "False: the account signs in through single sign-on alone." }),
    second_factor: Type.Boolean({ description: "This sign-in used a second factor." }),
    two_factor_needed: Type.Boolean({ description: "Everything else is refused until a second factor is set up." }),
    language: nullableString("Of the dashboard, as the user chose; null: as the browser says."),
    events_cursor: Type.Optional(
      Type.String({
        description:
          "The newest event's position when the session was read: a stream that begins here misses nothing that is read later.",
      }),
    ),
  },
  { title: "Session" },
);

/** What a browser's own functions take and return for passkeys; @simplewebauthn knows their form. */
const PasskeyJson = Type.Record(Type.String(), Type.Unknown());
export const PasskeyResponse = PasskeyJson;
export const PasskeyChallenge = Type.Object(
  { token: Type.String(), options: PasskeyJson },
  { title: "PasskeyChallenge" },
);

/** Either a session, or what is still needed for one. */
export const SignInResult = Type.Object(
  {
    session: Type.Optional(SessionRecord),
    two_factor: Type.Optional(
      Type.Object(
        {
          token: Type.String(),
          methods: Type.Array(oneOf(SECOND_FACTORS, { title: "SecondFactor" })),
          passkey_options: Type.Unsafe<Record<string, unknown> | null>({
            type: ["object", "null"],
            additionalProperties: true,
          }),
        },
        { title: "TwoFactorChallenge" },
      ),
    ),
  },
  { title: "SignInResult" },
);

const PasskeyRecord = Type.Object(
  { ...NAMED, created_at: Timestamp, last_used_at: NullableTimestamp },
  { title: "Passkey" },
);
export const TwoFactorRecord = Type.Object(
  {
    enabled: Type.Boolean(),
    required: Type.Boolean(),
    confirmed: Type.Boolean({ description: "The password was checked recently; changes are possible now." }),
    totp: Type.Boolean(),
    recovery_codes_left: Type.Integer(),
    passkeys: Type.Array(PasskeyRecord),
    wrong_codes: nullable(Type.Object({ count: Type.Integer(), last_at: Timestamp, last_ip: NullableString }), {
      description: "Wrong codes after the right password, ten or more, until they are dismissed.",
    }),
  },
  { title: "TwoFactor" },
);
export const TotpEnrolmentRecord = Type.Object(
  { secret: Type.String(), uri: Type.String(), qr_svg: Type.String() },
  { title: "TotpEnrolment" },
);
/** Null: the codes that exist already stay valid. */
export const RecoveryCodes = Type.Object(
  { recovery_codes: Type.Unsafe<string[] | null>({ type: ["array", "null"], items: { type: "string" } }) },
  { title: "RecoveryCodes" },
);

/** A browser in which the user is signed in. */
export const SessionEntryRecord = Type.Object(
  {
    id: Id,
    ip: NullableString,
    user_agent: NullableString,
    method: oneOf(SIGN_IN_METHODS, { title: "SignInMethod" }),
    current: Type.Boolean(),
    created_at: Timestamp,
    last_seen_at: Timestamp,
    expires_at: Timestamp,
  },
  { title: "SessionEntry" },
);

export const SignedOut = Type.Object(
  { signed_out: Type.Literal(true), sessions: Type.Optional(Type.Integer()) },
  { title: "SignedOut" },
);

export const MemberRecord = Type.Object(
  { ...USER, role: RoleName, created_at: Timestamp, last_seen_at: NullableTimestamp, active_keys: Type.Integer() },
  { title: "Member" },
);

const INVITATION = {
  id: Id,
  uuid: Uuid,
  email: Type.String(),
  role: RoleName,
  invited_by: nullable(Type.Object({ id: Id, name: Type.String() })),
  created_at: Timestamp,
  expires_at: Timestamp,
  expired: Type.Boolean(),
};
export const InvitationRecord = Type.Object(INVITATION, { title: "Invitation" });
export const InvitationWithUrl = Type.Object(
  {
    ...INVITATION,
    url: Type.String(),
    emailed: Type.Boolean({ description: "The link was also sent to the address by e-mail." }),
  },
  { title: "InvitationWithUrl" },
);

/** What a person with the link of an invitation may know before accepting it. */
export const InvitationPreview = Type.Object(
  {
    email: Type.String(),
    role: RoleName,
    workspace: WorkspaceName,
    expires_at: Timestamp,
    signed_in_as_invited: Type.Boolean(),
  },
  { title: "InvitationPreview" },
);
