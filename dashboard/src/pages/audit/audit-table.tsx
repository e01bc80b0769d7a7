import type { AuditLog } from "../../api/audit-logs.ts";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { cx } from "../../lib/cx.ts";
import { t } from "../../lib/texts.ts";
import { browserName } from "../account/browser-name.ts";
import { ACTION_TITLES } from "./action-titles.ts";
import css from "./audit.module.css";
import { wordsOfChange } from "./change-words.ts";

interface AuditTableProps {
  entries: readonly AuditLog[];
  /** The names of members, by their id. */
  names: ReadonlyMap<number, string>;
}

export const AuditTable = ({ entries, names }: AuditTableProps) => (
  <Table label={t("Audit log")} columns={[t("Action"), t("By"), t("On"), t("Address"), t("When")]}>
    {entries.map((entry) => (
      <tr key={entry.id}>
        <td>
          <span className={css.action}>{ACTION_TITLES[entry.action]}</span>
          <Changes changes={entry.changes} />
        </td>
        <td data-label={t("By")} className={css.whole}>
          {actorOf(entry.actor)}
        </td>
        <td data-label={t("On")} className={cx(css.quiet, css.whole)}>
          {resourceOf(entry.resource, names)}
        </td>
        <td data-label={t("Address")} className={cx(css.quiet, css.whole)}>
          {entry.ip ?? "–"}
        </td>
        <td data-label={t("When")} className={css.quiet}>
          <Time at={entry.created_at} />
        </td>
      </tr>
    ))}
  </Table>
);

const RESOURCES: Record<string, string> = {
  api_key: t("API key"),
  webhook: t("Webhook"),
  consumer: t("Consumer"),
  mailbox: t("Mailbox"),
  widget: t("Widget"),
  view: t("View"),
  contact: t("Contact"),
  user: t("User"),
  invitation: t("Invitation"),
  workspace: t("Workspace"),
};

/** A member by name; a former member, and everything else, by number. */
function resourceOf({ type, id }: AuditLog["resource"], names: AuditTableProps["names"]): string {
  const name = type === "user" && id !== null ? names.get(id) : undefined;
  return name ?? `${RESOURCES[type] ?? type} ${id ?? ""}`;
}

function actorOf({ type, id, name }: AuditLog["actor"]): string {
  if (type === "system") return name === "unauthenticated" ? t("Not signed in") : (name ?? t("The server"));
  if (type === "api_key" || type === "bot") return name ? t("Key “{name}”", { name }) : t("Key {id}", { id: id ?? "" });
  return name ?? t("User {id}", { id: id ?? "" });
}

/** One after the other. */
function Changes({ changes }: { changes: Record<string, unknown> }) {
  const fields = Object.entries(changes);
  if (fields.length === 0) return null;
  return (
    <ul className={css.changes}>
      {fields.map(([field, value]) =>
        field === "user_agent" && typeof value === "string" ? (
          <li key={field} title={value}>
            {t("browser: {value}", { value: browserName(value) })}
          </li>
        ) : (
          <li key={field}>{wordsOfChange(field, value)}</li>
        ),
      )}
    </ul>
  );
}
