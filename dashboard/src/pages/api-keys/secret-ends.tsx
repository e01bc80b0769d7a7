import type { ApiKey } from "../../api/api-keys.ts";
import { t } from "../../lib/texts.ts";

/** How the secret begins and ends: enough to find it again in a program's settings, and useless to anyone else. */
export const SecretEnds = ({ apiKey: { secret_prefix: prefix, last_four: last } }: { apiKey: ApiKey }) =>
  prefix === null && last === null ? (
    t("Not shown")
  ) : (
    <code>
      {prefix ?? ""}…{last ?? ""}
    </code>
  );
