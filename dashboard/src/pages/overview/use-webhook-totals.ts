import { useHealthList } from "../../api/webhooks.ts";

/** The attempts of all webhooks in the last 24 hours; undefined while they load. */
export function useWebhookTotals(): { attempts: number; successes: number } | undefined {
  const health = useHealthList().data;
  return health?.reduce(
    (sum, one) => ({ attempts: sum.attempts + one.attempts, successes: sum.successes + one.successes }),
    { attempts: 0, successes: 0 },
  );
}
