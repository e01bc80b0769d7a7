import { type Static, Type } from "typebox";
import type { Principal } from "../../../auth/principal.ts";
import { consumerRecord, consumerRecords, readConsumer } from "../../../consumers/consumer-reader.ts";
import {
  acknowledge,
  type Consumer,
  createConsumer,
  deleteConsumer,
  findConsumer,
  findConsumerIfPresent,
  listConsumers,
  recordRead,
  replaceSettings,
  resetConsumer,
} from "../../../consumers/consumers.ts";
import { forbidden, problems } from "../../../core/errors.ts";
import type { Queryable } from "../../../db/database.ts";
import { decodeCursor, encodeCursor } from "../../../events/event-cursor.ts";
import { EventRecord } from "../../../events/event-record.ts";
import { type PayloadFilter, parseFilter } from "../../../events/payload-filter.ts";
import { FILTER_FORMS } from "../../../events/payload-filter-schema.ts";
import { optionalInteger } from "../../../resources/common.ts";
import { ConsumerRecord } from "../../../resources/consumer.ts";
import { subscriptionProblems } from "../../../webhooks/subscriptions.ts";
import { BoundedListQuery, partOf } from "../../pipeline/bounded-list.ts";
import { API_BASE } from "../../pipeline/route.ts";
import { maySeeLag, nameProblems, requireMayRead, settingsOf, startPosition, startProblems } from "./consumer-rules.ts";
import { cursorProblems } from "./events.ts";
import { route } from "./services.ts";

const ITEM = "/consumers/{consumer}";
const NAME = "consumer";
const access = "consumers:manage";

const WAIT_SECONDS_MAX = 30;
const READ_MAX = 100;

const Start = Type.String({
  maxLength: 128,
  description: "`now`, `beginning` (the oldest event that is stored) or a cursor of `GET /events`.",
  examples: ["now"],
});
const PutBody = Type.Object({
  types: Type.Optional(
    Type.Unsafe<string[] | null>({
      type: ["array", "null"],
      items: { type: "string", maxLength: 64, "x-event-pattern": true },
      minItems: 1,
      maxItems: 100,
      description: "Event names, groups such as `message.*`, or `*`; null or absent: every event that the key may see.",
      examples: [["message.*"]],
    }),
  ),
  filter: Type.Optional(
    Type.Unsafe<PayloadFilter | null>({
      type: ["object", "null"],
      additionalProperties: true,
      ...FILTER_FORMS,
      description: "Which of them, as for webhooks; null or absent: all.",
      examples: [{ data: { direction: "in" } }],
    }),
  ),
  start: Type.Optional(Start),
});

export const consumerRoutes = [
  route({
    method: "GET",
    path: "/consumers",
    summary: "List consumers",
    description: "By name; all of them, at most 1,000, unless a part is requested.",
    access,
    query: Type.Object(BoundedListQuery),
    success: { status: 200, data: Type.Array(ConsumerRecord), paged: "optional" },
    handler: async ({ principal, query }, { db, sequencer }) => {
      const { workspaceId } = principal;
      const items = await listConsumers(db, workspaceId);
      const path = `${API_BASE}/consumers`;
      const part = partOf({ name: "consumers", workspaceId, path, items, identityOf: ({ id }) => id }, query);
      await sequencer.catchUp();
      return {
        ...part,
        data: await consumerRecords(db, workspaceId, part.data, {
          showsLag: (consumer) => maySeeLag(principal, consumer),
        }),
      };
    },
  }),
  route({
    method: "PUT",
    path: ITEM,
    name: NAME,
    summary: "Create a consumer, or change what it shows",
    description:
      "Creating one needs `events:read` too: it shows what its creator may see. If it exists, `types` and `filter` are replaced and `start` is ignored.",
    access,
    body: PutBody,
    success: { status: 201, data: ConsumerRecord, replaces: true },
    check: async ({ caller, name, body }, { db }) => {
      const filter = body.filter ? parseFilter(body.filter) : null;
      const isNew = !(await findConsumerIfPresent(db, caller.workspaceId, name));
      return problems({
        name: nameProblems(name),
        types: subscriptionProblems(body.types ?? [], "types"),
        filter: filter && !filter.ok ? filter.problems : [],
        start: isNew ? startProblems(caller.workspaceId, body.start) : [],
      });
    },
    handler: async ({ principal, caller, name, body, write }, { sequencer }) => {
      await sequencer.catchUp();
      return write(async (tx) => {
        const { workspaceId } = caller;
        const settings = settingsOf(body);
        const replace = async () => {
          const replaced = await replaceSettings(tx, caller, name, settings);
          return { status: 200 as const, data: await recordFor(tx, principal, replaced) };
        };
        if (await findConsumerIfPresent(tx, workspaceId, name)) return replace();
        if (!caller.scopes.has("events:read"))
          throw forbidden("Creating a consumer also requires the scope events:read.");
        const position = await startPosition(tx, workspaceId, body.start as string);
        const created = await createConsumer(tx, caller, { name, settings, position });
        // Another request has just created it.
        if (!created) return replace();
        return { data: await recordFor(tx, principal, created) };
      });
    },
  }),
  route({
    method: "GET",
    path: ITEM,
    name: NAME,
    summary: "Get a consumer",
    access,
    success: { status: 200, data: ConsumerRecord },
    handler: async ({ principal, name }, { db, sequencer }) => {
      await sequencer.catchUp();
      return { data: await recordFor(db, principal, await findConsumer(db, principal.workspaceId, name)) };
    },
  }),
  route({
    method: "DELETE",
    path: ITEM,
    name: NAME,
    summary: "Delete a consumer",
    description: "Its position is lost; the events stay.",
    access,
    success: { status: 200, data: ConsumerRecord },
    handler: ({ principal, caller, name, write }) =>
      write(async (tx) => {
        const deleted = await deleteConsumer(tx, caller, name);
        return { data: await recordFor(tx, principal, deleted) };
      }),
  }),
  route({
    method: "POST",
    path: `${ITEM}/reset`,
    name: NAME,
    summary: "Move a consumer anywhere",
    description: "Forward or back. `missed` is false afterwards.",
    access,
    body: Type.Object({ start: Start }),
    success: { status: 200, data: ConsumerRecord },
    exists: ({ caller, name }, { db }) => findConsumer(db, caller.workspaceId, name),
    check: ({ caller, body }) => problems({ start: startProblems(caller.workspaceId, body.start ?? "now") }),
    handler: async ({ principal, caller, name, body, write }, { sequencer }) => {
      await sequencer.catchUp();
      return write(async (tx) => {
        const position = await startPosition(tx, caller.workspaceId, body.start);
        const consumer = await resetConsumer(tx, caller, name, position);
        return { data: await recordFor(tx, principal, consumer) };
      });
    },
  }),
  route({
    method: "GET",
    path: `${ITEM}/events`,
    name: NAME,
    operationId: "readConsumerEvents",
    summary: "Read the next events of a consumer",
    description:
      "Those after the acknowledged position that match, oldest first. Reading moves nothing: acknowledge `next_cursor` once they are processed. A read looks at no more than 10,000 events and may be empty with `has_more: true`; acknowledge its cursor and read on.",
    access: "events:read",
    waitsOutside: true,
    query: Type.Object({
      limit: optionalInteger(1, READ_MAX, "100 by default."),
      wait: optionalInteger(
        0,
        WAIT_SECONDS_MAX,
        "Seconds to wait for the first event, if there is none; 0 by default.",
      ),
    }),
    success: { status: 200, data: Type.Array(EventRecord), cursor: true },
    exists: ({ caller, name }, { db }) => findConsumer(db, caller.workspaceId, name),
    handler: async ({ principal, name, query, request, read }, { db, sequencer, waits }) => {
      const { workspaceId } = principal;
      const limit = query.limit ?? READ_MAX;
      // What a wait has looked at without a match it does not look at again, unless the consumer was changed meanwhile.
      let looked = { by: "", upTo: 0 };
      const readNext = async () => {
        await sequencer.catchUp();
        const consumer = await findConsumer(db, workspaceId, name);
        requireMayRead(principal, consumer);
        await recordRead(db, workspaceId, consumer.id);
        const { position, types, filter } = consumer;
        const by = JSON.stringify({ position, types, filter });
        const after = looked.by === by ? looked.upTo : position;
        const page = await readConsumer(db, workspaceId, consumer, { limit, after });
        looked = { by, upTo: page.next };
        return page;
      };
      const waiting = { workspaceId, seconds: query.wait ?? 0, request: request.raw };
      const page = await waits.readOrWait(waiting, () => read(readNext));
      return {
        data: page.events.map(({ payload }) => JSON.parse(payload)),
        cursor: { next_cursor: encodeCursor(workspaceId, page.next), has_more: page.hasMore },
      };
    },
  }),
  route({
    method: "POST",
    path: `${ITEM}/ack`,
    name: NAME,
    operationId: "acknowledgeConsumerEvents",
    summary: "Acknowledge events",
    description: "Moves the consumer forward to the cursor of a read. An older cursor changes nothing.",
    access: "events:read",
    body: Type.Object({
      cursor: Type.String({
        maxLength: 128,
        description: "The `next_cursor` of a read.",
        examples: ["AQAAAAAAAAAqzBfhRj6w"],
      }),
    }),
    success: { status: 200, data: ConsumerRecord },
    exists: ({ caller, name }, { db }) => findConsumer(db, caller.workspaceId, name),
    check: ({ caller, body }) => problems({ cursor: cursorProblems("cursor", caller, body.cursor) }),
    handler: async ({ principal, caller, name, body, write }, { sequencer }) => {
      await sequencer.catchUp();
      return write(async (tx) => {
        const { workspaceId } = caller;
        requireMayRead(principal, await findConsumer(tx, workspaceId, name));
        const position = decodeCursor(workspaceId, body.cursor) as number;
        const consumer = await acknowledge(tx, workspaceId, name, position);
        return { data: await recordFor(tx, principal, consumer) };
      });
    },
  }),
];

const recordFor = (db: Queryable, principal: Principal, consumer: Consumer): Promise<Static<typeof ConsumerRecord>> =>
  consumerRecord(db, principal.workspaceId, consumer, { showsLag: maySeeLag(principal, consumer) });
