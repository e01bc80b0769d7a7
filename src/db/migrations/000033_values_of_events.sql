-- compatible-from: 12
-- What the paths of filters are applied to (src/events/filter-search.ts). An event with at most 8 elements in all of its arrays
-- is searched as it is. Another one gets a member `values`, which no event has: for each member that a filter can name all of
-- its values, as keys, and sorted in ranges of 64, which a comparison leaves out by their ends. So lists are read once,
-- however long they are and however many filters look at them. It is written as json and becomes jsonb at the end, because
-- each step that builds jsonb copies and sorts what is in it.
--
-- A member is named by the names on the way to it, each after its length, or by their digest. As in a path, an element of an
-- array stands for the array where a member of it is named, and a literal is compared with the elements of up to three arrays
-- within each other. Texts are cut behind the longest literal of a filter, which changes no comparison with one.
create function searchable(event jsonb) returns jsonb language plpgsql immutable as $$
begin
  if jsonb_array_length(jsonb_path_query_array(event, 'strict $.**{0 to 20} ? (@.type() == "array")[*]')) <= 8 then
    return event;
  end if;
  return event || (
    with recursive node (path, level, nesting, type, value) as (
      select '' collate "C", 0, 0, 'object', event
      union all
      select
        case
          when octet_length(child.path) <= 65 then child.path
          else '#' || encode(sha256(convert_to(child.path, 'UTF8')), 'hex')
        end,
        child.level,
        child.nesting,
        jsonb_typeof(child.value),
        child.value
      from node
      cross join lateral (
        select node.path || octet_length(key) || ':' || key as path, node.level + 1 as level, 0 as nesting, member.value
        from jsonb_each(case node.type when 'object' then node.value end) member
        union all
        select node.path, node.level, node.nesting + 1, element
        from jsonb_array_elements(case node.type when 'array' then node.value end) element
      ) child
      where (node.type = 'object' and node.level < 8 and node.nesting < 2)
        or (node.type = 'array' and node.nesting < 3)
    ),

    known as (
      select
        path,
        array_agg(distinct trim_scale(value::numeric)) filter (where type = 'number') as numbers,
        array_agg(distinct left(value #>> '{}', 4097) collate "C") filter (where type = 'string') as texts,
        array_agg(distinct value::text) filter (where type in ('boolean', 'null')) as others
      from node
      where level > 0
        and (type <> 'array' or nesting > 0)
      group by path
    )

    select json_build_object('values', json_object_agg(path, json_build_object(
      'keys', (
        select json_object_agg(key, true)
        from (
          select 'n' || number as key from unnest(numbers) number
          union all
          select 's' || text from unnest(texts) text
          union all
          select other from unnest(others) other
        ) found
      ),
      'ranges', (
        select json_agg(range)
        from (
          select json_build_object(
            'from', numbers[first],
            'to', numbers[least(first + 63, cardinality(numbers))],
            'values', numbers[first:first + 63]) as range
          from generate_series(1, cardinality(numbers), 64) first
          union all
          select json_build_object(
            'from', texts[first],
            'to', texts[least(first + 63, cardinality(texts))],
            'values', texts[first:first + 63])
          from generate_series(1, cardinality(texts), 64) first
        ) ranges
      )
    )))::jsonb
    from known
  );
end $$;
