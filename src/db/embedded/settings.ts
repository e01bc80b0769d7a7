import { createHash } from "node:crypto";

/**
 * Given on the command line at every start, so that a newer Parley's settings reach an old data directory and a
 * forgotten `ALTER SYSTEM SET fsync = off` cannot cost an acknowledged event.
 */
export function serverSettings(
  cluster: string,
  socketDir: string,
  walCompression: "lz4" | "off",
): Readonly<Record<string, string>> {
  return {
    // Only the socket directory's owner and root can reach the server.
    listen_addresses: "",
    unix_socket_directories: quoteListItem(socketDir),
    port: String(SOCKET_PORT),
    // A crash may never lose what was acknowledged.
    fsync: "on",
    full_page_writes: "on",
    synchronous_commit: "on",
    restart_after_crash: "on",
    // A small machine that is shared with Node.
    shared_buffers: "128MB",
    max_connections: "100",
    max_locks_per_transaction: "256",
    max_wal_size: "1GB",
    checkpoint_timeout: "15min",
    wal_compression: walCompression,
    jit: "off",
    // The queue table turns over quickly: clean up long before the default 20 % are dead.
    autovacuum_naptime: "15s",
    autovacuum_vacuum_scale_factor: "0.05",
    autovacuum_vacuum_insert_scale_factor: "0.1",
    autovacuum_analyze_scale_factor: "0.05",
    autovacuum_vacuum_cost_limit: "1000",
    // `log` keeps start, stop, recovery, FATAL and PANIC. SQL errors go to their caller, who logs them without the rows
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

/** No TCP port is opened; PostgreSQL puts the number into the socket's file name. */
export const SOCKET_PORT = 5432;
export const SUPERUSER = "parley";
export const DATABASE = "parley";
export const MAINTENANCE_DATABASE = "postgres";

/** The name that this cluster's processes carry in their titles. */
export function clusterTag(cluster: string): string {
  return `parley-${createHash("sha256").update(cluster).digest("hex").slice(0, 12)}`;
}

export function settingArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** The value is a comma-separated list of names, so a path with a space, a comma or a capital must be quoted. */
function quoteListItem(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}
