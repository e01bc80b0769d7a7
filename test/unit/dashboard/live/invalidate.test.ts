import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createInvalidator, readAgain } from "../../../../dashboard/src/live/invalidate.ts";

const KEY = ["workspace", 1, "conversations", "list"];

let client: QueryClient;
let stopReading: () => void;
/** One per request that the page has sent, in order. */
let requests: ((value: string) => void)[];
const shown = () => client.getQueryData(KEY);

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient();
  requests = [];
  const read = () => new Promise<string>((resolve) => requests.push(resolve));
  stopReading = new QueryObserver(client, { queryKey: KEY, queryFn: read }).subscribe(() => {});
});
afterEach(() => {
  stopReading();
  client.clear();
  vi.useRealTimers();
});

describe("an event about a list that is being read", () => {
  it("causes another read, because the response in flight may be older than the event", async () => {
    const invalidator = createInvalidator(client);
    requests[0]?.("at first");
    await vi.advanceTimersByTimeAsync(0);
    void client.refetchQueries({ queryKey: KEY });
    expect(requests).toHaveLength(2);
    invalidator.add(KEY);
    await vi.advanceTimersByTimeAsync(400);
    requests[1]?.("before the event");
    await vi.advanceTimersByTimeAsync(400);
    expect(requests).toHaveLength(3);
    requests[2]?.("after the event");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(shown()).toBe("after the event");
    expect(requests).toHaveLength(3);
    invalidator.close();
  });

  it("causes one read, however many events there are, when nothing is in flight", async () => {
    const invalidator = createInvalidator(client);
    requests[0]?.("at first");
    await vi.advanceTimersByTimeAsync(0);
    for (let n = 0; n < 10; n++) invalidator.add(KEY);
    await vi.advanceTimersByTimeAsync(400);
    expect(requests).toHaveLength(2);
    requests[1]?.("after the events");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(shown()).toBe("after the events");
    expect(requests).toHaveLength(2);
    invalidator.close();
  });
});

it("after a gap in the stream, a list whose first read is in flight is read once more", async () => {
  const done = readAgain(client, { queryKey: KEY });
  requests[0]?.("before the gap ended");
  await vi.advanceTimersByTimeAsync(0);
  expect(requests).toHaveLength(2);
  requests[1]?.("after the gap");
  await done;
  expect(shown()).toBe("after the gap");
});
