import { useCallback, useMemo } from "react";
import { useLocation, useSearch } from "wouter";

/**
 * Filters kept in the address (`?type=limited&search=ci`): a link to a filtered list can be shared, and going back works.
 * Setting a value to "" removes it.
 */
export function useSearchState<Name extends string>(
  names: readonly Name[],
): [Record<Name, string>, (change: Partial<Record<Name, string>>) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names are constant for each caller
  const values = useMemo(() => {
    const found = new URLSearchParams(search);
    return Object.fromEntries(names.map((name) => [name, found.get(name) ?? ""])) as Record<Name, string>;
  }, [search]);
  const change = useCallback(
    (changed: Partial<Record<Name, string>>) => {
      const next = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries<string | undefined>(changed)) {
        if (value === undefined || value === "") next.delete(name);
        else next.set(name, value);
      }
      navigate(next.size === 0 ? path : `${path}?${next}`, { replace: true });
    },
    [navigate, path],
  );
  return [values, change];
}
