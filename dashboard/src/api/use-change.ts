import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ApiError } from "./client.ts";

/** A change after which everything that is shown under these keys is read again. */
export function useChange<Result, Input>(run: (input: Input) => Promise<Result>, ...queryKeys: readonly QueryKey[]) {
  const client = useQueryClient();
  return useMutation<Result, ApiError, Input>({
    mutationFn: run,
    onSuccess: () => Promise.all(queryKeys.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
