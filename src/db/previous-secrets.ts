const PREVIOUS_SECRETS_MAX = 5;

/**
 * The new `previous_secrets` of a row whose `secret_sealed` is being replaced, given its alias and the SQL of the overlap in
 * seconds: the old secret joins the earlier ones, and none is valid for longer than the overlap.
 */
export const previousSecretsSql = (row: string, overlapSeconds: string): string => `(
        select coalesce(
          jsonb_agg(jsonb_build_object('sealed', sealed, 'ends_at', ends_at) order by ends_at desc),
          '[]'
        )
        from (
          select
            old ->> 'sealed' as sealed,
            least((old ->> 'ends_at')::timestamptz, now() + make_interval(secs => ${overlapSeconds})) as ends_at
          from jsonb_array_elements(
            jsonb_build_array(jsonb_build_object('sealed', ${row}.secret_sealed, 'ends_at', 'infinity'))
            || ${row}.previous_secrets
          ) old
          order by ends_at desc
          limit ${PREVIOUS_SECRETS_MAX}
        ) kept
        where ends_at > now()
      )`;
