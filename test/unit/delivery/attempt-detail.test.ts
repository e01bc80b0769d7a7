import { expect, it } from "vitest";
import {
  type AttemptDetail,
  decodeDetail,
  encodeDetail,
  eventHeaders,
} from "../../../src/delivery/attempts/attempt-detail.ts";

const UUID = "01980a4e-7b10-7d05-a3c7-4e1f2b6a9d80";
const detail: AttemptDetail = {
  url: "https://orders.example.com/hooks",
  requestHeaders: [...eventHeaders(UUID), ["webhook-signature", "v1,abc"], ["x-team", "[redacted]"]],
  responseHeaders: [
    ["set-cookie", "a=1"],
    ["set-cookie", "b=2"],
  ],
  responseBody: 'with "quotes", a line\nand ünïcode',
  isResponseBodyTruncated: true,
  address: null,
  timings: { dnsMs: null, connectMs: 1.5, tlsMs: null, firstByteMs: 2.25, totalMs: 30 },
};

it("the stored detail of an attempt is read as it was, with the headers that are the same for its event", () => {
  expect(decodeDetail(encodeDetail(detail), UUID)).toEqual(detail);
});

it("the stored detail of a test with example data has the body that was sent", () => {
  const test = { ...detail, requestBody: '{"type":"message.created"}' };
  expect(decodeDetail(encodeDetail(test), UUID)).toEqual(test);
});

it("the stored detail of an attempt holds no header that follows from its event", () => {
  expect(encodeDetail(detail)).not.toContain("webhook-id");
});
