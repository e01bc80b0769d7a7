-- compatible-from: 12
-- A user has one identity of each provider. Several were possible: each subject with the verified address got the account.

-- The first one stays: it linked the account. Of two that came at the same moment the one with the smaller subject stays.
delete from user_identities later
where exists (
  select
  from user_identities earlier
  where earlier.user_id = later.user_id
    and earlier.issuer = later.issuer
    and (earlier.created_at, earlier.subject) < (later.created_at, later.subject)
);

create unique index user_identities_one_per_issuer on user_identities (user_id, issuer);
drop index user_identities_user;
