import { language } from "../lib/language.ts";
import { t } from "../lib/texts.ts";
import { ApiError, commonHeaders } from "./client.ts";

/** A conversation as text, with times in the reader's time zone. The one response of the API that is not JSON. */
export async function readTranscript(conversation: number): Promise<string> {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const path = `/api/v1/conversations/${conversation}/transcript?time_zone=${encodeURIComponent(zone)}`;
  const response = await fetch(path, { headers: { ...commonHeaders(), "accept-language": language } }).catch(
    () => null,
  );
  if (response?.ok) return response.text();
  const message = t("The conversation could not be read. Try again.");
  throw new ApiError({ status: response?.status ?? 0, code: "UNAVAILABLE", message });
}
