import { Pause, Pencil, Play, RotateCw, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type ApiKey, stateOf, useApiKey, useRevokeOldSecret, useUpdateKey } from "../../api/api-keys.ts";
import { KEY_TYPES, scopesOfKey, useCatalogue } from "../../api/catalogue.ts";
import { Chip } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { StaleStrip } from "../../components/loaded.tsx";
import { Notice } from "../../components/notice.tsx";
import { Facts, Page, Section } from "../../components/page.tsx";
import { ErrorState } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toast.tsx";
import { PageSkeleton } from "../../layout/page-skeleton.tsx";
import { rich } from "../../lib/rich.ts";
import { inSentence, t } from "../../lib/texts.ts";
import css from "./api-keys.module.css";
import { EditKeyDialog } from "./edit-key-dialog.tsx";
import { KeyAudit } from "./key-audit.tsx";
import { KeyStateBadge } from "./key-state.tsx";
import { KeyUsage } from "./key-usage.tsx";
import { RevokeKeyDialog } from "./revoke-key-dialog.tsx";
import { RotateKeyDialog } from "./rotate-key-dialog.tsx";
import { SecretEnds } from "./secret-ends.tsx";

const BACK = { href: "/settings/api-keys", title: t("API Keys") };

export function KeyPage({ id }: { id: string }) {
  const key = useApiKey(id);
  if (key.data) return <LoadedKey apiKey={key.data.record} stale={<StaleStrip query={key} />} />;
  if (!key.error) return <PageSkeleton />;
  return (
    <Page title={t("API key")} back={BACK}>
      <ErrorState error={key.error} onRetry={() => key.refetch()} />
    </Page>
  );
}

function LoadedKey({ apiKey, stale }: { apiKey: ApiKey; stale: ReactNode }) {
  const state = stateOf(apiKey);
  return (
    <Page
      title={apiKey.name}
      badge={<KeyStateBadge apiKey={apiKey} />}
      description={apiKey.description}
      back={BACK}
      actions={state === "revoked" ? undefined : <KeyActions apiKey={apiKey} />}
    >
      {stale}
      {state === "paused" && (
        <Notice tone="warning">{t("This key is paused: requests with it receive a 401 until you resume it.")}</Notice>
      )}
      {state === "expired" && (
        <Notice tone="warning">
          {t("This key has expired: requests with it receive a 401. Edit it to choose a later date.")}
        </Notice>
      )}
      {apiKey.revoked_at && (
        <Notice tone="info">
          {rich("Revoked {time}. It cannot be used again; its audit log is kept.", {
            time: <Time at={apiKey.revoked_at} />,
          })}
        </Notice>
      )}
      <OldSecret apiKey={apiKey} />
      <KeyFacts apiKey={apiKey} />
      <KeyUsage keyId={apiKey.id} />
      <KeyAudit keyId={apiKey.id} />
    </Page>
  );
}

type Open = "edit" | "rotate" | "revoke" | null;

function KeyActions({ apiKey }: { apiKey: ApiKey }) {
  const [open, setOpen] = useState<Open>(null);
  const change = useUpdateKey(apiKey.id);
  const state = stateOf(apiKey);
  const close = () => setOpen(null);
  const setActive = (active: boolean) =>
    change.mutate(
      { body: { is_active: active } },
      {
        onSuccess: () => toast(active ? t("Key resumed.") : t("Key paused.")),
        onError: (error) => toast(error.message, { failed: true }),
      },
    );
  return (
    <>
      <Button icon={<Pencil size={14} aria-hidden />} onClick={() => setOpen("edit")}>
        {t("Edit")}
      </Button>
      {state !== "expired" && (
        <Button
          busy={change.isPending}
          icon={state === "paused" ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
          onClick={() => setActive(state === "paused")}
        >
          {state === "paused" ? t("Resume") : t("Pause")}
        </Button>
      )}
      <Button icon={<RotateCw size={14} aria-hidden />} onClick={() => setOpen("rotate")}>
        {t("Rotate")}
      </Button>
      <Button variant="dangerQuiet" icon={<Trash2 size={14} aria-hidden />} onClick={() => setOpen("revoke")}>
        {t("Revoke")}
      </Button>
      {open === "edit" && <EditKeyDialog id={apiKey.id} onClose={close} />}
      {open === "rotate" && <RotateKeyDialog apiKey={apiKey} onClose={close} />}
      {open === "revoke" && <RevokeKeyDialog apiKey={apiKey} onClose={close} />}
    </>
  );
}

/** After a rotation with an overlap, two secrets work. */
function OldSecret({ apiKey }: { apiKey: ApiKey }) {
  const end = useRevokeOldSecret(apiKey.id);
  const [asking, setAsking] = useState(false);
  const until = apiKey.old_secret_expires_at;
  if (until === null || new Date(until).getTime() <= Date.now()) return null;
  const confirm = () =>
    end.mutate(undefined, {
      onSuccess: () => {
        toast(t("The old secret no longer works."));
        setAsking(false);
      },
    });
  return (
    <Notice
      tone="warning"
      title={t("The old secret still works")}
      actions={
        <Button size="small" onClick={() => setAsking(true)}>
          {t("End now")}
        </Button>
      }
    >
      {rich("It expires {time}.", { time: <Time at={until} /> })}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={confirm}
        busy={end.isPending}
        error={end.error}
        title={t("End the old secret now?")}
        confirm={t("End old secret")}
      >
        <p>{t("Everything that still uses the secret from before the last rotation receives a 401 at once.")}</p>
      </ConfirmDialog>
    </Notice>
  );
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const catalogue = useCatalogue().data;
  const scopes = scopesOfKey(catalogue, apiKey);
  const aboutScope = (name: string) => catalogue?.scopes.find((scope) => scope.name === name)?.description;
  return (
    <Section title={t("Details")}>
      <Facts
        facts={[
          { name: t("Secret"), value: <SecretEnds apiKey={apiKey} /> },
          { name: t("Type"), value: KEY_TYPES[apiKey.type].title },
          { name: t("Rate limit tier"), value: capitalised(apiKey.rate_limit_tier) },
          { name: t("Last used"), value: apiKey.last_used_at ? <Time at={apiKey.last_used_at} /> : t("Never") },
          {
            name: t("Created"),
            value: (
              <>
                <Time at={apiKey.created_at} form="day" />
                {apiKey.created_by?.name && t(" by {name}", { name: apiKey.created_by.name })}
              </>
            ),
          },
          { name: t("Secret rotated"), value: apiKey.rotated_at ? <Time at={apiKey.rotated_at} /> : t("Never") },
          { name: t("Expires"), value: apiKey.expires_at ? <Time at={apiKey.expires_at} form="day" /> : t("Never") },
          {
            name: t("Allowed addresses"),
            value:
              apiKey.allowed_ips.length > 0 ? (
                <code className={css.lines}>{apiKey.allowed_ips.join("\n")}</code>
              ) : (
                t("Anywhere")
              ),
          },
          { name: t("Id"), value: <code>{apiKey.id}</code> },
        ]}
      />
      <div className={css.stack}>
        <h3>{t("Abilities")}</h3>
        {apiKey.abilities.includes("*") && (
          <p className={css.quiet}>
            {t("Everything a {title} key may hold, including later additions. Today:", {
              title: inSentence(KEY_TYPES[apiKey.type].title),
            })}
          </p>
        )}
        <ul className={css.chips}>
          {scopes.map((scope) => (
            <li key={scope} title={aboutScope(scope)}>
              <Chip>{scope}</Chip>
            </li>
          ))}
        </ul>
      </div>
    </Section>
  );
}
