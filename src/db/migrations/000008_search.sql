-- compatible-from: 8
-- Search: words and beginnings of words, in any case and without accents.

-- The words of a text, in lower case and without accents, separated by any punctuation, the same way as `fold` in
-- conversations/search-words.ts; and three marks: of the workspace, and of two ranges of ids within it. A search asks for
-- the newest range first and widens only where that has too few hits: a common word never reads the hits of a whole
-- workspace. No extension is needed for it; plain ASCII, which is most text, skips the costly part. All in one function that
-- names nothing outside pg_catalog: ANALYZE and the creation of an index see no other schema. Cells from 1 on take every
-- 1024th id (db/cell.ts): without that factor a range holds as many rows as in cell 0. The parser joins words only around
-- the characters that become spaces here (in addresses, paths, numbers with signs, tags): with all punctuation in the list
-- `translate` took twice as long as the parser.
create function search_terms(workspace_id bigint, id bigint, given text) returns tsvector
language plpgsql immutable strict parallel safe as $$
declare
  folded text := given;
  number bigint := case when id < 1099511627776 then id else id >> 10 end;
begin
  if octet_length(folded) <> char_length(folded) then
    folded := regexp_replace(normalize(folded, NFKD), '[\u0300-\u036f]', '', 'g');
  end if;
  folded := translate(lower(folded), '@./-_:+~<>&', '           ');
  return to_tsvector('pg_catalog.simple', folded) || array_to_tsvector(array[
    '|w' || workspace_id,
    '|b' || workspace_id || '.' || (number >> 20),
    '|a' || workspace_id || '.' || (number >> 16)]);
end $$;

create function contact_text(name text, email text, phone text, external_id text) returns text
language sql immutable parallel safe as $$
  select coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(external_id, '')
$$;

-- New rows wait in a list of each index, which is emptied in the background (conversations/search-upkeep.ts): a process that
-- finds it full would otherwise wait while it is.
create index messages_search on messages using gin (search_terms(workspace_id, id, body));
create index conversations_search on conversations using gin (search_terms(workspace_id, id, subject));
create index contacts_search on contacts using gin
  (search_terms(workspace_id, id, contact_text(name, email, phone, external_id)));

-- Nothing is planned by how common a word is, and statistics of words take two thirds of the time of each analysis.
alter index messages_search alter column 1 set statistics 0;
alter index conversations_search alter column 1 set statistics 0;
alter index contacts_search alter column 1 set statistics 0;

-- Any part of a text, for `search` in the lists of contacts and conversations. The extensions are trusted: a role that may
-- create objects in the database may create them. Where that is not so, these lists read along their order instead.
do $$
begin
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;
exception
  when insufficient_privilege or undefined_file or feature_not_supported then
    raise warning 'The extensions pg_trgm and btree_gin cannot be created (%): `search` in large lists will be slow. '
      'Let the owner of the database run: create extension pg_trgm; create extension btree_gin;', sqlerrm;
end $$;

do $$
begin
  if (select count(*) from pg_extension where extname in ('pg_trgm', 'btree_gin')) = 2 then
    create index contacts_part on contacts using gin
      (workspace_id, lower(contact_text(name, email, phone, external_id)) gin_trgm_ops);
    create index conversations_part on conversations using gin
      (workspace_id, lower(subject) gin_trgm_ops);
  end if;
end $$;
