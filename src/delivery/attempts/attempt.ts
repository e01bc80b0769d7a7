import { eventPublicId } from "../../events/outbox.ts";
import type { ClaimedDelivery } from "../../queue/claim.ts";
import type { LoggedResult, Settlement } from "../../queue/settle.ts";
import { type Outbound, type OutboundResult, unsent } from "../../url-guard/index.ts";
import type { WebhookSettings } from "../../webhooks/settings.ts";
import { signatureHeader } from "../../webhooks/signing.ts";
import { renderBody, TEMPLATE_TOO_LARGE } from "../../webhooks/template.ts";
import { encodeDetail, eventHeaders } from "./attempt-detail.ts";
import { type Decision, decide, errorMessage, judgesReceiver } from "./retry-policy.ts";

const RESPONSE_TIME_MS_MAX = 2 ** 31 - 1;

/** What is sent: the event's body, with a signature for this attempt. */
interface SignedRequest {
  url: string;
  headers: [string, string][];
  body: string;
  /** Whether the body is that of the stored event, so that the log need not have a copy. */
  isEvent: boolean;
  /** What the template makes of the event is too large to be sent. */
  isTooLarge: boolean;
  timeoutMs: number;
  /** Workspaces share no connections. */
  group: string;
}

export function signRequest(settings: WebhookSettings, eventUuid: string, payload: string): SignedRequest {
  const rendered = renderBody(settings.template, payload);
  const body = rendered ?? "";
  const id = eventPublicId(eventUuid);
  const timestamp = Math.floor(Date.now() / 1_000);
  return {
    url: settings.url,
    headers: [
      ...eventHeaders(eventUuid),
      ["webhook-timestamp", String(timestamp)],
      ["webhook-signature", signatureHeader(settings.signingKeys(), id, timestamp, body)],
      ...settings.headers.map(({ key, value }): [string, string] => [key, value]),
    ],
    body,
    isEvent: settings.template === null,
    isTooLarge: rendered === null,
    timeoutMs: settings.timeoutMs,
    group: String(settings.workspaceId),
  };
}

/** Through the guard, unless there is nothing to send. */
export const sendSigned = (outbound: Pick<Outbound, "send">, request: SignedRequest): Promise<OutboundResult> =>
  request.isTooLarge
    ? Promise.resolve(unsent({ code: "template_too_large", message: TEMPLATE_TOO_LARGE }))
    : outbound.send(request);

interface AttemptOutcome {
  settlement: Settlement;
  decision: Decision;
}

/** One attempt: sign, send through the guard, decide. Null: not sent, or aborted by a stopping worker. */
export async function attemptDelivery(
  outbound: Pick<Outbound, "send">,
  settings: WebhookSettings,
  claim: ClaimedDelivery,
  schedule: readonly number[],
): Promise<AttemptOutcome | null> {
  const request = signRequest(settings, claim.eventUuid, claim.payload);
  const result = await sendSigned(outbound, request);
  // Aborted by a stopping worker, or never sent because all connections to that host stayed busy: no attempt is counted.
  if (result.error?.code === "aborted" || result.error?.code === "no_connection") return null;
  const attempt = claim.attemptsMade + 1;
  const decision = decide({
    result,
    attempt,
    retryCount: settings.retryCount,
    schedule,
    now: Date.now(),
    random: Math.random(),
  });
  const logged = describeResult(request, result);
  // Field by field: with two object spreads this was the most expensive line of an attempt.
  const settlement: Settlement = {
    workspaceId: claim.workspaceId,
    webhookId: claim.webhookId,
    webhookVersion: settings.version,
    deliveryId: claim.deliveryId,
    claimToken: claim.claimToken,
    eventId: claim.eventId,
    eventUuid: claim.eventUuid,
    eventType: claim.eventType,
    orderKey: claim.orderKey,
    attempt,
    judgesReceiver: judgesReceiver(result),
    responseCode: logged.responseCode,
    responseTimeMs: logged.responseTimeMs,
    errorMessage: logged.errorMessage,
    retryInMs: decision.kind === "retry" ? Math.round(decision.delayMs) : null,
    detail: logged.detail,
  };
  return { decision, settlement };
}

/** The columns of a log row that follow from what was sent and what came back. */
export function describeResult(request: SignedRequest, result: OutboundResult): LoggedResult {
  return {
    responseCode: result.statusCode,
    responseTimeMs: Math.min(Math.round(result.timings.totalMs), RESPONSE_TIME_MS_MAX),
    errorMessage: storable(errorMessage(result)),
    detail: encodeDetail({
      url: request.url,
      // Custom values may be credentials, whatever their names: they are sealed at rest, and so not in the log.
      requestHeaders: request.headers.map(([name, value]) => [name, OWN_HEADERS.has(name) ? value : "[redacted]"]),
      responseHeaders: result.headers.map(([name, value]) => [storable(name), storable(value)]),
      responseBody: storable(result.body.toString("utf8")),
      isResponseBodyTruncated: result.bodyTruncated,
      address: result.address,
      timings: result.timings,
      ...(request.isEvent ? {} : { requestBody: request.body }),
    }),
  };
}

const OWN_HEADERS = new Set(["content-type", "webhook-id", "webhook-timestamp", "webhook-signature"]);

/** JSON in the database cannot hold NUL; a hostile response may. */
function storable<T extends string | null>(text: T): T {
  return (text === null || !text.includes("\0") ? text : text.replaceAll("\0", "\u{fffd}")) as T;
}
