import { CircleCheck } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { type ApiKey, stateOf, useApiKeys } from "../../api/api-keys.ts";
import type { Overview } from "../../api/overview.ts";
import { useHealthList, useWebhook, webhookHref } from "../../api/webhooks.ts";
import { Badge, type BadgeTone } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Section } from "../../components/page.tsx";
import { Said } from "../../components/said.tsx";
import { SkeletonRows } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { rich } from "../../lib/rich.ts";
import { plural, t } from "../../lib/texts.ts";
import { RecoverDialog } from "../webhooks/dialogs/recover-dialog.tsx";
import { failureStateOf } from "../webhooks/failing.ts";
import css from "./overview.module.css";
import { atLeast } from "./tiles.tsx";

const EXPIRES_SOON_MS = 14 * 86_400_000;
const UNUSED_AFTER_MS = 86_400_000;

/** Contacts who wait, deliveries that do not go out, missing backups, and keys that will stop working or should. */
export function Attention({ overview }: { overview: Overview }) {
  const health = useHealthList().data;
  const keys = useApiKeys().data;
  const [recovering, setRecovering] = useState<number | null>(null);
  if (!health || !keys)
    return (
      <Section title={t("Needs attention")}>
        <SkeletonRows rows={2} />
      </Section>
    );
  const failing = health.filter(
    ({ is_active, failing_since }) => failureStateOf(failing_since) === "failing" || !is_active,
  );
  const noted = keys.flatMap((key) => notesOf(key).map((note) => ({ key, ...note })));
  const workspace = workspaceNotes(overview);
  return (
    <Section title={t("Needs attention")}>
      {failing.length + noted.length + workspace.length === 0 ? (
        <p className={css.fine}>
          <CircleCheck size={16} aria-hidden /> {t("Nothing right now.")}
        </p>
      ) : (
        <ul className={css.attention}>
          {workspace.map(({ title, tone, what }) => (
            <li key={title}>
              <span className={css.badge}>
                <Badge tone={tone}>{title}</Badge>
              </span>
              <span className={css.what}>{what}</span>
            </li>
          ))}
          {failing.map((webhook) => (
            <li key={`webhook-${webhook.webhook_id}`}>
              <span className={css.badge}>
                <Badge tone={webhook.is_active ? "danger" : "neutral"}>
                  {webhook.is_active ? t("Failing") : t("Disabled")}
                </Badge>
              </span>
              <span className={css.what}>
                <Link href={webhookHref(webhook.webhook_id)}>{webhook.name}</Link>{" "}
                <span className={css.note}>
                  {webhook.failing_since
                    ? rich("since {time}", { time: <Time at={webhook.failing_since} form="point" /> })
                    : webhook.disabled_reason && <Said text={webhook.disabled_reason} />}
                </span>
              </span>
              <Button size="small" onClick={() => setRecovering(webhook.webhook_id)}>
                {t("Recover…")}
              </Button>
            </li>
          ))}
          {noted.map(({ key, id, title, at }) => (
            <li key={`key-${key.id}-${id}`}>
              <span className={css.badge}>
                <Badge tone="warning">{title}</Badge>
              </span>
              <span className={css.what}>
                <Link href={`/settings/api-keys/${key.id}`}>{key.name}</Link>{" "}
                <span className={css.note}>
                  <Time at={at} />
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {recovering !== null && <Recover id={recovering} onClose={() => setRecovering(null)} />}
    </Section>
  );
}

interface WorkspaceNote {
  title: string;
  tone: BadgeTone;
  what: ReactNode;
}

function workspaceNotes({ conversations, backlog, backups }: Overview): WorkspaceNote[] {
  const long = conversations.waiting_over_an_hour;
  const notes: WorkspaceNote[] = [];
  if (long.count > 0)
    notes.push({
      title: t("Waiting"),
      tone: "warning",
      what: (
        <Link href="/inbox?view=waiting">
          {plural(
            long.count,
            "{count} contact has waited for a reply for more than an hour",
            "{count} contacts have waited for a reply for more than an hour",
            { count: atLeast(long) },
          )}
        </Link>
      ),
    });
  if (backlog.overdue > 0)
    notes.push({
      title: t("Backlog"),
      tone: "danger",
      what: (
        <>
          {plural(
            backlog.overdue,
            "{n} delivery should have been attempted by now",
            "{n} deliveries should have been attempted by now",
          )}{" "}
          {backlog.overdue_since && (
            <span className={css.note}>{rich("oldest due {time}", { time: <Time at={backlog.overdue_since} /> })}</span>
          )}
        </>
      ),
    });
  if (backups === "missing")
    notes.push({
      title: t("No backups"),
      tone: "warning",
      what: (
        <>
          {rich("The database of this server is not backed up on a schedule. Set {code}, and see {link}.", {
            code: <code>PARLEY_BACKUP_DIR</code>,
            link: <a href="/docs/running-for-years">{t("running it for years")}</a>,
          })}
        </>
      ),
    });
  return notes;
}

function notesOf(key: ApiKey): { id: string; title: string; at: string }[] {
  const now = Date.now();
  if (stateOf(key) !== "active") return [];
  const notes = [];
  if (key.expires_at && new Date(key.expires_at).getTime() - now < EXPIRES_SOON_MS)
    notes.push({ id: "expires", title: t("Key expires"), at: key.expires_at });
  if (key.old_secret_expires_at && new Date(key.old_secret_expires_at).getTime() > now)
    notes.push({ id: "old-secret", title: t("Old secret works"), at: key.old_secret_expires_at });
  if (key.last_used_at === null && now - new Date(key.created_at).getTime() > UNUSED_AFTER_MS)
    notes.push({ id: "unused", title: t("Key never used"), at: key.created_at });
  return notes;
}

function Recover({ id, onClose }: { id: number; onClose: () => void }) {
  const webhook = useWebhook(String(id)).data;
  return webhook ? <RecoverDialog webhook={webhook.record} onClose={onClose} /> : null;
}
