import { expect, it } from "vitest";
import { createStartQueue, type PreparedDelivery } from "../../../src/delivery/pump/start-queue.ts";
import { until } from "../../support/wait.ts";

const ready = (workspaceId: number, webhookId: number) =>
  ({ claim: { workspaceId, webhookId }, claimedBy: 1, settings: undefined }) as PreparedDelivery;
const startQueue = (start: (delivery: PreparedDelivery) => void) =>
  createStartQueue({ start, onLaneStarted: () => {} });
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it("the start queue starts another workspace's delivery second, however many come before it", async () => {
  const started: number[] = [];
  const queue = startQueue(({ claim }) => void started.push(claim.webhookId));
  queue.add([...Array.from({ length: 200 }, (_, i) => ready(1, i)), ready(2, 1_000)]);
  for (let turns = 0; turns < 2; turns++) await nextTurn();
  expect(started[1]).toBe(1_000);
});

it("the start queue lets the webhooks of a workspace take turns", async () => {
  const started: number[] = [];
  const queue = startQueue(({ claim }) => void started.push(claim.webhookId));
  queue.add([ready(1, 1), ready(1, 1), ready(1, 1), ready(1, 2)]);
  for (let turns = 0; turns < 4; turns++) await nextTurn();
  expect(started).toEqual([1, 2, 1, 1]);
});

it("the start queue lets other work of the process run in between when starting takes long", async () => {
  let started = 0;
  const queue = startQueue(() => {
    started++;
    for (const until = performance.now() + 3; performance.now() < until; ) void 0;
  });
  queue.add([ready(1, 1), ready(1, 2)]);
  await nextTurn();
  expect(started).toBe(1);
  await nextTurn();
  expect(started).toBe(2);
});

it("the start queue knows of which webhooks deliveries wait, and reports when a webhook's last starts", async () => {
  const log: string[] = [];
  const queue = createStartQueue({
    start: ({ claim }) => void log.push(`start ${claim.webhookId}`),
    onLaneStarted: ({ webhookId }) => void log.push(`all of ${webhookId}`),
  });
  const has = () => [1, 2, 3].filter((webhookId) => queue.has({ workspaceId: 1, webhookId }));
  queue.add([ready(1, 1), ready(1, 2), ready(1, 1)]);
  expect(has()).toEqual([1, 2]);
  await until("all were started", () => has().length === 0);
  expect(log).toEqual(["start 1", "start 2", "all of 2", "start 1", "all of 1"]);
});
