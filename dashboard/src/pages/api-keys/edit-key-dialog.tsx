import { useRef, useState } from "react";
import { type ApiKey, type UpdateApiKeyBody, useApiKey, useUpdateKey } from "../../api/api-keys.ts";
import { type Catalogue, useCatalogue } from "../../api/catalogue.ts";
import { beyondFields, type Versioned } from "../../api/client.ts";
import { Conflict } from "../../components/conflict.tsx";
import { Dialog, SubmitFooter } from "../../components/dialog.tsx";
import { Notice } from "../../components/notice.tsx";
import { toast } from "../../components/toast.tsx";
import { focusFirstError } from "../../lib/focus-first-error.ts";
import { t } from "../../lib/texts.ts";
import { useDialogGuard } from "../../lib/unsaved-guard.tsx";
import css from "./api-keys.module.css";
import { AbilitiesField, LimitFields, NameFields } from "./key-fields.tsx";
import { abilitiesOf, addressesOf, expiresAt, KEY_FIELDS, type KeyValues, problemsOf, valuesOf } from "./key-form.ts";

/** Waits for what it edits: the version it sends back belongs to the values it shows. */
export function EditKeyDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const key = useApiKey(String(id));
  const catalogue = useCatalogue().data;
  const [round, setRound] = useState(0);
  if (!key.data || !catalogue) return null;
  const reload = async () => {
    await key.refetch();
    setRound(round + 1);
  };
  return <EditForm key={round} loaded={key.data} catalogue={catalogue} onClose={onClose} onReload={reload} />;
}

interface EditFormProps {
  loaded: Versioned<ApiKey>;
  catalogue: Catalogue;
  onClose: () => void;
  /** Begins again with the current version. */
  onReload: () => void;
}

function EditForm({ loaded, catalogue, onClose, onReload }: EditFormProps) {
  const [{ record, etag }] = useState(loaded);
  const before = valuesOf(record, catalogue);
  const [values, setValues] = useState(before);
  const [own, setOwn] = useState<Record<string, string[]>>({});
  const body = useRef<HTMLDivElement>(null);
  const save = useUpdateKey(record.id);
  const isChanged = JSON.stringify(values) !== JSON.stringify(before);
  const { leave, cancel } = useDialogGuard(isChanged, onClose);
  const fields = {
    values,
    onChange: (change: Partial<KeyValues>) => setValues((current) => ({ ...current, ...change })),
    problems: { ...save.error?.details, ...own },
  };
  const submit = () => {
    const found = problemsOf(values);
    setOwn(found);
    if (Object.keys(found).length > 0) return focusFirstError(body.current);
    const changes = changesBetween(before, values);
    if (Object.keys(changes).length === 0) return onClose();
    save.mutate(
      { body: changes, etag },
      {
        onError: () => focusFirstError(body.current),
        onSuccess: () => {
          toast(t("Key updated. The change is effective at once."));
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      open
      wide
      onClose={cancel}
      title={t("Edit key")}
      description={t("Changes are effective at once. The secret stays the same.")}
      onSubmit={submit}
      footer={
        <SubmitFooter onCancel={cancel} busy={save.isPending}>
          {t("Save changes")}
        </SubmitFooter>
      }
    >
      <div ref={body} className={css.form}>
        {leave}
        <NameFields {...fields} />
        <div className={css.stack}>
          <h3>{t("Abilities")}</h3>
          <AbilitiesField {...fields} />
        </div>
        <LimitFields {...fields} />
      </div>
      {save.error?.status === 412 ? (
        <Conflict what={t("key")} onReload={onReload} />
      ) : (
        save.error &&
        beyondFields(save.error, KEY_FIELDS) && <Notice tone="danger">{beyondFields(save.error, KEY_FIELDS)}</Notice>
      )}
    </Dialog>
  );
}

/** Only what was changed here: a field that another user changed meanwhile is left as it is. */
function changesBetween(before: KeyValues, after: KeyValues): UpdateApiKeyBody {
  const differs = (read: (values: KeyValues) => unknown) =>
    JSON.stringify(read(before)) !== JSON.stringify(read(after));
  return {
    ...(differs(({ name }) => name) ? { name: after.name } : {}),
    ...(differs(({ description }) => description) ? { description: after.description } : {}),
    ...(differs((values) => [...abilitiesOf(values)].sort()) ? { abilities: abilitiesOf(after) } : {}),
    ...(differs(({ tier }) => tier) ? { rate_limit_tier: after.tier } : {}),
    ...(differs(({ expiry, expiryDate }) => [expiry, expiryDate]) ? { expires_at: expiresAt(after) ?? "" } : {}),
    ...(differs(addressesOf) ? { allowed_ips: addressesOf(after) } : {}),
  };
}
