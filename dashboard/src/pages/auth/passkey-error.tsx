import { ApiError } from "../../api/client.ts";
import { Notice } from "../../components/notice.tsx";

/** Browsers report a canceled prompt, a missing passkey and a time-out alike, on purpose. */
export function PasskeyError({ error }: { error: Error }) {
  if (error instanceof ApiError) return <Notice tone="danger">{error.message}</Notice>;
  return (
    <Notice tone="warning" title="No passkey was used">
      The prompt was canceled, or this device has no passkey for this site.
    </Notice>
  );
}
