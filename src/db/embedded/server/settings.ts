import { createHash } from "node:crypto";
import { SOCKET_PORT } from "../layout/socket-dir.ts";

export const DATABASE = "parley";
/** Owns the database and nothing else: what the application connects as. */
export const APPLICATION_ROLE = "parley";
/** Creates the above and supervises the server. */
export const ADMIN_ROLE = "parley_admin";
export const MAINTENANCE_DATABASE = "postgres";

/**
 * Passed on the command line at every start, so that a newer Parley's settings reach an old data directory and a
 * forgotten `ALTER SYSTEM SET fsync = off` cannot cost an acknowledged event.
 */
export function settingArguments(cluster: string, socketDir: string, files: Record<string, string>): string[] {
  const settings = { ...serverSettings(cluster, socketDir), ...files };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

export function serverSettings(cluster: string, socketDir: string): Record<string, string> {
  return {
    // Only the socket directory's owner and root can reach the server, and it asks the kernel which account connects.
    listen_addresses: "",
    unix_socket_directories: quoteListItem(socketDir),
    port: String(SOCKET_PORT),
    // A crash must not lose what was acknowledged.
    fsync: "on",
    full_page_writes: "on",
    synchronous_commit: "on",
    restart_after_crash: "on",
    // A small machine that is shared with Node. WAL is not compressed: pglz, all that the npm package has, costs more
    // CPU than two cores have to give.
    shared_buffers: "128MB",
    max_connections: "100",
    max_locks_per_transaction: "256",
    max_wal_size: "1GB",
    checkpoint_timeout: "15min",
    jit: "off",
    // The queue table turns over quickly: clean up long before the default 20 % are dead rows.
    autovacuum_naptime: "15s",
    autovacuum_vacuum_scale_factor: "0.05",
    autovacuum_vacuum_insert_scale_factor: "0.1",
    autovacuum_analyze_scale_factor: "0.05",
    autovacuum_vacuum_cost_limit: "1000",
    // A statement whose connection was closed, because it took too long, is cancelled.
    client_connection_check_interval: "1s",
    // `log` keeps start, stop, recovery, FATAL and PANIC. SQL errors go to the client, which logs them without the rows
    // that PostgreSQL would quote.
    log_min_messages: "log",
    log_min_error_statement: "panic",
    log_checkpoints: "off",
    log_destination: "stderr",
    logging_collector: "off",
    log_line_prefix: "%m [%p] ",
    log_timezone: "UTC",
    timezone: "UTC",
    // Shows in `ps` which server this is, and lets us find its processes.
    cluster_name: clusterTag(cluster),
  };
}

/** The name that this cluster's processes carry in their titles. */
export function clusterTag(cluster: string): string {
  return `parley-${createHash("sha256").update(cluster).digest("hex").slice(0, 12)}`;
}

/** The value is a comma-separated list of names, so a path with a space, a comma or a capital must be quoted. */
function quoteListItem(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}
