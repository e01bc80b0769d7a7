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
import css from "./api-keys.module.css";
import { EditKeyDialog } from "./edit-key-dialog.tsx";
import { KeyAudit } from "./key-audit.tsx";
import { KeyStateBadge } from "./key-state.tsx";
import { KeyUsage } from "./key-usage.tsx";
import { RevokeKeyDialog } from "./revoke-key-dialog.tsx";
import { RotateKeyDialog } from "./rotate-key-dialog.tsx";
import { SecretEnds } from "./secret-ends.tsx";

const BACK = { href: "/settings/api-keys", title: "API Keys" };

export function KeyPage({ id }: { id: string }) {
  const key = useApiKey(id);
  if (key.data) return <LoadedKey apiKey={key.data.record} stale={<StaleStrip query={key} />} />;
  if (!key.error) return <PageSkeleton />;
  return (
    <Page title="API key" back={BACK}>
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
        <Notice tone="warning">This key is paused: requests with it receive a 401 until you resume it.</Notice>
      )}
      {state === "expired" && (
        <Notice tone="warning">
          This key has expired: requests with it receive a 401. Edit it to choose a later date.
        </Notice>
      )}
      {apiKey.revoked_at && (
        <Notice tone="info">
          Revoked <Time at={apiKey.revoked_at} />. It cannot be used again; its audit log is kept.
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
        onSuccess: () => toast(active ? "Key resumed." : "Key paused."),
        onError: (error) => toast(error.message, { failed: true }),
      },
    );
  return (
    <>
      <Button icon={<Pencil size={14} aria-hidden />} onClick={() => setOpen("edit")}>
        Edit
      </Button>
      {state !== "expired" && (
        <Button
          busy={change.isPending}
          icon={state === "paused" ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
          onClick={() => setActive(state === "paused")}
        >
          {state === "paused" ? "Resume" : "Pause"}
        </Button>
      )}
      <Button icon={<RotateCw size={14} aria-hidden />} onClick={() => setOpen("rotate")}>
        Rotate
      </Button>
      <Button variant="dangerQuiet" icon={<Trash2 size={14} aria-hidden />} onClick={() => setOpen("revoke")}>
        Revoke
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
        toast("The old secret no longer works.");
        setAsking(false);
      },
    });
  return (
    <Notice
      tone="warning"
      title="The old secret still works"
      actions={
        <Button size="small" onClick={() => setAsking(true)}>
          End now
        </Button>
      }
    >
      It expires <Time at={until} />.
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={confirm}
        busy={end.isPending}
        error={end.error}
        title="End the old secret now?"
        confirm="End old secret"
      >
        <p>Everything that still uses the secret from before the last rotation receives a 401 at once.</p>
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
    <Section title="Details">
      <Facts
        facts={[
          { name: "Secret", value: <SecretEnds apiKey={apiKey} /> },
          { name: "Type", value: KEY_TYPES[apiKey.type].title },
          { name: "Rate limit tier", value: capitalised(apiKey.rate_limit_tier) },
          { name: "Last used", value: apiKey.last_used_at ? <Time at={apiKey.last_used_at} /> : "Never" },
          {
            name: "Created",
            value: (
              <>
                <Time at={apiKey.created_at} form="day" />
                {apiKey.created_by?.name && ` by ${apiKey.created_by.name}`}
              </>
            ),
          },
          { name: "Secret rotated", value: apiKey.rotated_at ? <Time at={apiKey.rotated_at} /> : "Never" },
          { name: "Expires", value: apiKey.expires_at ? <Time at={apiKey.expires_at} form="day" /> : "Never" },
          {
            name: "Allowed addresses",
            value:
              apiKey.allowed_ips.length > 0 ? (
                <code className={css.lines}>{apiKey.allowed_ips.join("\n")}</code>
              ) : (
                "Anywhere"
              ),
          },
          { name: "Id", value: <code>{apiKey.id}</code> },
        ]}
      />
      <div className={css.stack}>
        <h3>Abilities</h3>
        {apiKey.abilities.includes("*") && (
          <p className={css.quiet}>
            Everything a {KEY_TYPES[apiKey.type].title.toLowerCase()} key may hold, including later additions. Today:
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
