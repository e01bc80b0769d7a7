import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ApiError } from "./client.ts";

/** A change after which everything that is shown under `queryKey` is read again. */
export function useChange<Result, Input>(run: (input: Input) => Promise<Result>, queryKey: QueryKey) {
  const client = useQueryClient();
  return useMutation<Result, ApiError, Input>({
    mutationFn: run,
    onSuccess: () => client.invalidateQueries({ queryKey }),
  });
}
