-- compatible-from: 12
-- Of a long text, a search finds what is in its first 24,000 characters, counted once it is normalized, because one
-- character can become eighteen: with that, a text has at most 12,000 words. A message of 65,000 characters took a tenth of a
-- second to index, and as long again for each search that had to look at it. Counting words instead would take as long as
-- finding them. Rows that are there keep the words they have; a shorter text has the same words as before.
create or replace function search_terms(workspace_id bigint, id bigint, given text) returns tsvector
language plpgsql immutable strict parallel safe as $$
declare
  folded text := given;
  number bigint := case when id < 1099511627776 then id else id >> 10 end;
begin
  if octet_length(folded) <> char_length(folded) then
    folded := regexp_replace(normalize(folded, NFKD), '[\u0300-\u036f]', '', 'g');
  end if;
  folded := translate(lower(left(folded, 24000)), '@./-_:+~<>&', '           ');
  return to_tsvector('pg_catalog.simple', folded) || array_to_tsvector(array[
    '|w' || workspace_id,
    '|b' || workspace_id || '.' || (number >> 20),
    '|a' || workspace_id || '.' || (number >> 16)]);
end $$;
