export { backOffMs, sleep } from "./back-off.ts";
export type { ConsumerBatch, ConsumerReadOptions } from "./consumer.ts";
export * from "./errors.ts";
export { readFrames } from "./frames.ts";
export type * from "./generated.ts";
export { EVENT_NAMES } from "./generated.ts";
export type { List, Page } from "./paging.ts";
export { type FileContent, Parley, type UploadOptions } from "./parley.ts";
export { connectStream, type StreamedEvent, type StreamOptions } from "./stream.ts";
export { type ParleyOptions, type RawRequest, type RawResponse, type RequestOptions, Transport } from "./transport.ts";
export {
  signWebhook,
  type UnknownEvent,
  type UnwrapOptions,
  unwrapWebhook,
  type WebhookEvent,
  type WebhookHeaders,
} from "./webhook.ts";
