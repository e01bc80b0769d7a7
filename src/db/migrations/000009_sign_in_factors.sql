-- compatible-from: 9
-- What people sign in with in addition to a password: authenticator apps, recovery codes, passkeys, and challenges in between.

create table totp_secrets (
  user_id bigint primary key references users (id) on delete cascade,
  -- Sealed: the server must compute codes from it.
  secret text not null,
  -- null: shown as a QR code and not confirmed by a code yet; it protects nothing until then.
  confirmed_at timestamptz,
  -- The time step of the last code accepted: a code that was read over a shoulder does not work twice.
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);

create table recovery_codes (
  user_id bigint not null references users (id) on delete cascade,
  digest bytea not null check (octet_length(digest) = 32),
  primary key (user_id, digest)
);

create table passkeys (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  user_id bigint not null references users (id) on delete cascade,
  -- base64url, as browsers send it.
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null check (counter >= 0),
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

-- A sign-in that waits for its second factor, or a browser that was asked to sign a challenge with a passkey.
create table sign_in_challenges (
  digest bytea primary key check (octet_length(digest) = 32),
  purpose text not null check (purpose in ('second_factor', 'passkey_sign_in', 'passkey_registration', 'sso')),
  -- null: a passkey says who signs in.
  user_id bigint references users (id) on delete cascade,
  -- What the passkey has to sign, base64url; for single sign-on what the provider must send back, sealed.
  challenge text,
  attempts_left integer not null check (attempts_left >= 0),
  expires_at timestamptz not null
);
create index sign_in_challenges_age on sign_in_challenges (expires_at);

-- Whom an identity provider vouches for. The address may change there; the subject does not.
create table user_identities (
  issuer text not null,
  subject text not null,
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index user_identities_user on user_identities (user_id);
