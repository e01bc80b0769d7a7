-- compatible-from: 12
-- The language that a user has chosen for the dashboard; null: as the browser says.
alter table users
  add column language text check (language in ('en', 'de', 'es', 'fr', 'pt-BR'));
