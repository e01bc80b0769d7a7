import { once } from "node:events";
import { type Stringifier, stringify } from "csv-stringify";
import { Type } from "typebox";
import { MANAGERS } from "../../../accounts/roles.ts";
import { AUDIT_ACTIONS, AUDITED_TYPES } from "../../../audit/audit.ts";
import { type AuditRow, auditPages } from "../../../audit/export.ts";
import { oneOf } from "../../../resources/common.ts";
import { CreatedBetween } from "../../pipeline/query.ts";
import { STREAMED } from "../../pipeline/route.ts";
import { route } from "./services.ts";

const COLUMNS = [
  "id",
  "created_at",
  "action",
  "actor_type",
  "actor_id",
  "actor_name",
  "resource_type",
  "resource_id",
  "ip",
  "request_id",
  "changes",
];

/** The audit trail as a file: for people who keep it elsewhere or read it in a spreadsheet. */
export const auditExportRoutes = [
  route({
    method: "GET",
    path: "/audit-export",
    summary: "Download the audit trail as JSON or CSV",
    access: "audit:read",
    roles: MANAGERS,
    query: Type.Object({
      format: Type.Optional(oneOf(["json", "csv"])),
      action: Type.Optional(oneOf(AUDIT_ACTIONS)),
      resource_type: Type.Optional(oneOf(AUDITED_TYPES)),
      resource_id: Type.Optional(Type.Integer({ minimum: 1 })),
      actor_id: Type.Optional(Type.Integer({ minimum: 1 })),
      ...CreatedBetween,
    }),
    success: { status: 200, data: Type.String(), streamed: true },
    handler: async ({ caller, query, reply }, { db }) => {
      const { format = "json", ...filter } = query;
      const pages = auditPages(db, caller.workspaceId, filter);
      // The first page is read before anything is sent: what fails here is still an ordinary error response.
      const first = await pages.next();
      reply.hijack();
      reply.raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        "content-type": format === "csv" ? "text/csv; charset=utf-8" : "application/json; charset=utf-8",
        "content-disposition": `attachment; filename="audit-log.${format}"`,
      });
      const send = format === "csv" ? sendCsv : sendJson;
      try {
        await send(reply.raw, rowsOf(first.value ?? [], pages));
      } catch (error) {
        // A partial file must not look complete: the connection is closed.
        reply.log.warn({ err: error }, "an export of the audit trail failed");
        reply.raw.destroy();
      }
      return STREAMED;
    },
  }),
];

async function* rowsOf(first: AuditRow[], pages: AsyncGenerator<AuditRow[], void, void>): AsyncGenerator<AuditRow> {
  yield* first;
  for await (const page of pages) yield* page;
}

type Sink = NodeJS.WritableStream & { destroyed?: boolean };

async function sendJson(sink: Sink, rows: AsyncGenerator<AuditRow>): Promise<void> {
  let separator = "[\n";
  for await (const row of rows) {
    await write(sink, separator + JSON.stringify(row));
    separator = ",\n";
  }
  sink.end(separator === "[\n" ? "[]\n" : "\n]\n");
}

async function sendCsv(sink: Sink, rows: AsyncGenerator<AuditRow>): Promise<void> {
  // A name such as `=HYPERLINK(…)` must stay text in a spreadsheet.
  const csv: Stringifier = stringify({ header: true, columns: COLUMNS, escape_formulas: true });
  csv.pipe(sink);
  for await (const { actor, resource, changes, ...row } of rows)
    await write(csv, {
      ...row,
      actor_type: actor.type,
      actor_id: actor.id,
      actor_name: actor.name,
      resource_type: resource.type,
      resource_id: resource.id,
      changes: JSON.stringify(changes),
    });
  csv.end();
}

async function write(sink: Sink, chunk: unknown): Promise<void> {
  if (sink.destroyed) throw new Error("the client disconnected");
  if (!sink.write(chunk as string)) await Promise.race([once(sink, "drain"), once(sink, "close")]);
}
