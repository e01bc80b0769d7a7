import { ApiError } from "../../api/client.ts";
import { Notice } from "../../components/notice.tsx";
import { t } from "../../lib/texts.ts";

/** Browsers report a canceled prompt, a missing passkey and a time-out alike, on purpose. */
export function PasskeyError({ error }: { error: Error }) {
  if (error instanceof ApiError) return <Notice tone="danger">{error.message}</Notice>;
  return (
    <Notice tone="warning" title={t("No passkey was used")}>
      {t("The prompt was canceled, or this device has no passkey for this site.")}
    </Notice>
  );
}
