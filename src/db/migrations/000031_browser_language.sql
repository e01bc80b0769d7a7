-- compatible-from: 12
-- The language of the browser that a user signed in with last: mails to a user who has chosen none are in this one.
alter table users
  add column browser_language text check (browser_language in ('en', 'de', 'es', 'fr', 'pt-BR'));
