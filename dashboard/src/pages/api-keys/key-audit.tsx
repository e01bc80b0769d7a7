import type { AuditLog } from "@parley/client";
import { useKeyAudit } from "../../api/api-keys.ts";
import { Loaded } from "../../components/loaded.tsx";
import { Section } from "../../components/page.tsx";
import { SkeletonRows } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { t } from "../../lib/texts.ts";
import { formatWait } from "../../lib/time.ts";
import css from "./api-keys.module.css";

const ACTIONS: Partial<Record<AuditLog["action"], string>> = {
  "api_key.created": t("created this key"),
  "api_key.updated": t("changed this key"),
  "api_key.paused": t("paused this key"),
  "api_key.resumed": t("resumed this key"),
  "api_key.rotated": t("rotated the secret"),
  "api_key.revoked": t("revoked this key"),
};

export function KeyAudit({ keyId }: { keyId: number }) {
  const audit = useKeyAudit(keyId);
  return (
    <Section title={t("Audit trail")} description={t("Who did what to this key. Entries cannot be changed.")}>
      <Loaded query={audit} skeleton={<SkeletonRows rows={2} />}>
        {({ data: entries }) =>
          entries.length === 0 ? (
            <p className={css.quiet}>{t("Nothing has happened to this key yet.")}</p>
          ) : (
            <ol className={css.trail}>
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </Section>
  );
}

function Entry({ entry }: { entry: AuditLog }) {
  const more = [changesOf(entry.changes), entry.ip && t("from {ip}", { ip: entry.ip })].filter(Boolean).join(" · ");
  return (
    <li className={css.entry}>
      <span>
        <strong>{actorOf(entry.actor)}</strong> {ACTIONS[entry.action] ?? entry.action}
      </span>
      <span className={css.entryWhen}>
        <Time at={entry.created_at} />
      </span>
      {more && <span className={css.entryMore}>{more}</span>}
    </li>
  );
}

function actorOf({ type, id, name }: AuditLog["actor"]): string {
  if (type === "user") return name ?? t("Person {id}", { id: id ?? "" });
  if (type === "api_key") return name ? t("The key “{name}”", { name }) : t("Key {id}", { id: id ?? "" });
  return type === "system" ? t("The server") : (name ?? type);
}

/** `name: a → b`, as text, whatever the values are. */
function changesOf(changes: Record<string, unknown>): string {
  return (
    Object.entries(changes)
      // The entries for pausing and resuming already say it.
      .filter(([field]) => field !== "is_active")
      .map(([field, change]) => {
        if (field === "overlap_seconds")
          return change === 0
            ? t("the old one expired at once")
            : t("the old one valid for another {formatWait}", { formatWait: formatWait(Number(change)) });
        const pair = change as { from?: unknown; to?: unknown } | null;
        return pair && typeof pair === "object" && "from" in pair && "to" in pair
          ? `${field}: ${show(pair.from)} → ${show(pair.to)}`
          : `${field}: ${show(change)}`;
      })
      .join(", ")
  );
}

function show(value: unknown): string {
  if (value === null || value === undefined || value === "") return t("none");
  if (Array.isArray(value)) return value.length === 0 ? t("none") : value.map(show).join(" ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
