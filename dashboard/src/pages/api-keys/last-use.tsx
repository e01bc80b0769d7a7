import { type ApiKey, useUsage } from "../../api/api-keys.ts";
import { Time } from "../../components/time.tsx";
import { rich } from "../../lib/rich.ts";
import { plural, t } from "../../lib/texts.ts";

/** One or two sentences on how much depends on a key. */
export function LastUse({ apiKey }: { apiKey: ApiKey }) {
  const requests = useUsage(apiKey.id, "24h").data?.totals.requests ?? 0;
  if (apiKey.last_used_at === null) return <>{t("It has never been used, so nothing should break.")}</>;
  return (
    <>
      {requests === 0
        ? rich("Last used {time}.", { time: <Time at={apiKey.last_used_at} /> })
        : rich("Last used {time}, with {requests} in the last 24 hours.", {
            time: <Time at={apiKey.last_used_at} />,
            requests: plural(requests, "{n} request", "{n} requests"),
          })}
    </>
  );
}
