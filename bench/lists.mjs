// What lists, filters, counts and searches cost in a workspace with a million contacts and conversations and five million
// messages, compared with one with a thousand of each in the same installation, in turns. Bars: at most 3 times the small one's
// median (a search for very common words 10 times), and a bounded number of pages read per request.
// BENCH_ROWS makes it smaller: the number of contacts and conversations; there are five times as many messages.
import { createHash } from "node:crypto";
import { addPerson, fillWorkspace, withIndexesAfterwards } from "./lib/inbox-rows.mjs";
import { KEY, startProduct } from "./lib/processes.mjs";
import { conclude, median, table } from "./lib/report.mjs";
import { connectTo } from "./lib/rows.mjs";
import { watchStatements } from "./lib/statements.mjs";

const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const SMALL_ROWS = 1_000;
const SMALL_KEY = "benchmark-key-of-the-small-workspace-0123456789";
const PAGES_MAX = 5_000;
const TIMES_MAX = 3;
const COMMON_TIMES_MAX = 10;

const product = await watchStatements(await startProduct({ PARLEY_LOG_LEVEL: "warn" }));
const sql = await connectTo(product);
const sizes = (rows) => ({ contacts: rows, conversations: rows, messages: rows * 5 });

async function smallWorkspace() {
  const { rows } = await sql.query(
    "insert into workspaces (uuid, name) values (gen_random_uuid(), 'small') returning id",
  );
  const workspaceId = Number(rows[0].id);
  const key = await sql.query(
    `insert into api_keys (workspace_id, uuid, name, type, abilities, rate_limit_tier)
     values ($1, gen_random_uuid(), 'small', 'full', '{*}', 'unlimited') returning id`,
    [workspaceId],
  );
  await sql.query("insert into api_key_digests (digest, workspace_id, api_key_id) values ($1, $2, $3)", [
    createHash("sha256").update(SMALL_KEY).digest(),
    workspaceId,
    key.rows[0].id,
  ]);
  return workspaceId;
}

const smallId = await smallWorkspace();
const begunAt = performance.now();
const small = { key: SMALL_KEY, rows: SMALL_ROWS, ...(await fillWorkspace(sql, smallId, sizes(SMALL_ROWS))) };
const fillBig = () => fillWorkspace(sql, 1, sizes(ROWS));
const big = { key: KEY, rows: ROWS, ...(await withIndexesAfterwards(sql, fillBig)) };
await sql.query("vacuum (analyze)");
await sql.query("checkpoint");
console.log(`${ROWS.toLocaleString("en")} rows written in ${Math.round((performance.now() - begunAt) / 1_000)} s\n`);

// Filters that are read through different tables, as a team would save them.
for (const [workspace, workspaceId] of [
  [small, smallId],
  [big, 1],
]) {
  const filters = JSON.stringify({ status: "open", label: "billing", waiting: true });
  const { rows } = await sql.query(
    `insert into views (workspace_id, uuid, name, owner_type, owner_id, filters, sort, position)
     values ($1, gen_random_uuid(), 'Waiting', 'api_key', 1, $2, 'last_activity', 0) returning id`,
    [workspaceId, filters],
  );
  workspace.view = Number(rows[0].id);
  workspace.session = `session-of-${workspaceId}`.padEnd(43, "0");
  await addPerson(sql, workspaceId, workspace.session);
}
await sql.query("vacuum (analyze) message_mentions");

const lastPage = ({ rows }) => Math.ceil(rows / 25);
const hundredth = (workspace) => Math.min(100, lastPage(workspace));
const yesterday = () => encodeURIComponent(new Date(Date.now() - 600_000).toISOString());

/** The sidebar asks for them; they are not part of the API. */
const VIEW_COUNTS = "/dashboard-api/view-counts";
/** Each request as a function of the workspace; `common` marks a search for very common words. */
const REQUESTS = {
  contacts: () => "/contacts",
  "contacts, by cursor": () => "/contacts?limit=25",
  "contacts, page 100": (workspace) => `/contacts?page=${hundredth(workspace)}`,
  "contacts, last page": (workspace) => `/contacts?page=${lastPage(workspace)}`,
  "contacts, search hit": ({ rows }) => `/contacts?search=Person%20${rows - 223}`,
  "contacts, search with 1,000 hits": () => "/contacts?search=Person%20777",
  "contacts, search without a hit": () => "/contacts?search=nobody%20at%20all",
  "contacts, email": () => "/contacts?email=person500@example0.com",
  "contacts, updated since": () => `/contacts?updated_since=${yesterday()}`,
  conversations: () => "/conversations",
  "conversations, page 100": (workspace) => `/conversations?page=${hundredth(workspace)}`,
  "conversations, last page": (workspace) => `/conversations?page=${lastPage(workspace)}`,
  "conversations, by last activity": () => "/conversations?sort=last_activity",
  "conversations, open by last activity": () => "/conversations?sort=last_activity&status=open&limit=25",
  "conversations, unassigned by last activity": () => "/conversations?sort=last_activity&status=open&assignee_id=none",
  "conversations, label by last activity": () => "/conversations?sort=last_activity&status=open&label=billing",
  "conversations, open": () => "/conversations?status=open",
  "conversations, resolved": () => "/conversations?status=resolved",
  "conversations, open and pending": () => "/conversations?status=open,pending",
  "conversations, unassigned": () => "/conversations?assignee_id=none",
  "conversations, common label": () => "/conversations?label=billing",
  "conversations, rare label": () => "/conversations?label=rare",
  "conversations, absent label": () => "/conversations?label=absent",
  "conversations, a view": ({ view }) => `/conversations?view=${view}&limit=25`,
  "conversations, that mention me": () => "/conversations?mentioned=me&limit=25",
  "conversations, a view that mentions me": ({ view }) => `/conversations?view=${view}&mentioned=me&limit=25`,
  // Nothing is unread: the most that there is to look at.
  "conversations, open and unread": () => "/conversations?status=open&unread=true&sort=last_activity&limit=25",
  "conversations, channel": () => "/conversations?channel=email",
  "conversations, absent channel": () => "/conversations?channel=widget",
  "conversations, priority": () => "/conversations?priority=urgent",
  "conversations, search hit": ({ rows }) => `/conversations?search=thanks%20${rows - 223}`,
  "conversations, search with 100 hits": () => "/conversations?search=login%20333",
  "conversations, search without a hit": () => "/conversations?search=nothing%20like%20it",
  "conversations, text of one message": ({ rows }) => `/conversations?text=number%20${rows - 223}`,
  "conversations, text of a name": ({ rows }) => `/conversations?text=Person%20${rows - 223}`,
  "conversations, text of a phone": ({ rows }) => `/conversations?text=%2B49${rows - 223}`,
  "conversations, text within a view": ({ rows, view }) => `/conversations?view=${view}&text=login%20${rows - 220}`,
  "conversations, text with 200 hits by last activity": () =>
    "/conversations?status=open&sort=last_activity&text=login%20333",
  "conversations, text of nothing": () => "/conversations?text=zzzabsent",
  "conversations, text with 1,000 hits": () => "/conversations?text=the%20refund",
  "contacts, folded name": ({ rows }) => `/contacts?search=P%C3%A9rs%C3%B8n%20${rows - 223}`,
  "contacts, phone in another form": ({ rows }) =>
    `/contacts?search=%2B49%20${String(rows - 223).replace(/(..)/g, "$1%20")}`,
  "messages of the longest conversation": ({ threadId }) => `/conversations/${threadId}/messages`,
  "messages, last page": ({ threadId, rows }) =>
    `/conversations/${threadId}/messages?page=${Math.ceil(rows / 20 / 25)}`,
  events: () => "/events?limit=25",
  "events, newest first": () => "/events?limit=25&order=desc",
  "events, rare type": () => "/events?limit=25&type=contact.deleted",
  "audit log": () => "/audit-logs",
  "audit log, by cursor": () => "/audit-logs?limit=25",
  "audit log, last page": (workspace) => `/audit-logs?page=${lastPage(workspace)}`,
  "audit log, rare action": () => "/audit-logs?action=api_key.revoked",
  "conversation counts": () => "/conversations/counts",
  "conversation counts, of a person": () => "/conversations/counts",
  "counts of saved views": () => VIEW_COUNTS,
  "search, rare word": () => "/search?q=number%20777",
  "search, absent word": () => "/search?q=zzzabsent",
  "search, common word": () => "/search?q=the",
  "search, three common words": () => "/search?q=the%20refund%20number",
  "search, phrase": () => "/search?q=%22hello%20order%22",
};
/** These find one row in the small workspace and up to a thousand in the big one. */
const COMMON = /^search, (common|three|phrase)|with [\d,]+ hits/;

/** As a person: what a key does not know. */
const isOfPerson = (name) => /mention|unread|of a person|saved views/.test(name);

async function timed(workspace, name) {
  const path = REQUESTS[name](workspace);
  const startedAt = performance.now();
  const response = await fetch(`${product.url}${path === VIEW_COUNTS ? "" : "/api/v1"}${path}`, {
    headers: isOfPerson(name)
      ? { cookie: `parley_session=${workspace.session}` }
      : { authorization: `Bearer ${workspace.key}` },
  });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`GET ${path} received ${response.status}: ${body}`);
  return performance.now() - startedAt;
}

/** Pages that all statements of one request touch together, as the server counts them. */
async function pagesOf(workspace, name) {
  await sql.query("select pg_stat_statements_reset()");
  await timed(workspace, name);
  const { rows } = await sql.query(
    `select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::int as pages
     from pg_stat_statements
     where query ~ '(contacts|conversation|messages|events|event_positions|audit_logs|message_mentions)' and query !~ '(gin_clean|_deltas\\s+where ctid|pg_stat|events_unsequenced)'`,
  );
  return rows[0].pages;
}

const results = [];
for (const name of Object.keys(REQUESTS)) {
  const [smallMs, bigMs] = [[], []];
  for (let round = 0; round < ROUNDS + 3; round++) {
    const [one, other] = [await timed(small, name), await timed(big, name)];
    if (round >= 3) smallMs.push(one) && bigMs.push(other);
  }
  results.push({
    name,
    small: median(smallMs),
    big: median(bigMs),
    times: median(bigMs) / median(smallMs),
    pages: await pagesOf(big, name),
  });
}

table([
  ["request", `${SMALL_ROWS.toLocaleString("en")} rows, ms`, `${ROWS.toLocaleString("en")} rows, ms`, "times", "pages"],
  ...results.map(({ name, small: a, big: b, times, pages }) => [
    name,
    a.toFixed(1),
    b.toFixed(1),
    times.toFixed(1),
    pages,
  ]),
]);
conclude(
  "lists",
  results,
  results.flatMap(({ name, times, pages }) => {
    const most = COMMON.test(name) ? COMMON_TIMES_MAX : TIMES_MAX;
    return [
      { text: `${name}: ${times.toFixed(1)} × (bar ${most})`, met: times <= most },
      { text: `${name}: ${pages} pages (bar ${PAGES_MAX})`, met: pages <= PAGES_MAX },
    ];
  }),
);
await sql.end();
await product.stop();
