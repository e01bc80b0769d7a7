import { type ApiKey, useUsage } from "../../api/api-keys.ts";
import { Time } from "../../components/time.tsx";

const count = new Intl.NumberFormat("en");

/** One or two sentences on how much depends on a key. */
export function LastUse({ apiKey }: { apiKey: ApiKey }) {
  const requests = useUsage(apiKey.id, "24h").data?.totals.requests ?? 0;
  if (apiKey.last_used_at === null) return <>It has never been used, so nothing should break.</>;
  return (
    <>
      Last used <Time at={apiKey.last_used_at} />
      {requests > 0 &&
        `, with ${count.format(requests)} ${requests === 1 ? "request" : "requests"} in the last 24 hours`}
      .
    </>
  );
}
