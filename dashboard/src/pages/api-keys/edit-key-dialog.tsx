import { useState } from "react";
import { type ApiKey, type UpdateApiKeyBody, useApiKey, useUpdateKey } from "../../api/api-keys.ts";
import { type Catalogue, useCatalogue } from "../../api/catalogue.ts";
import type { Versioned } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Notice } from "../../components/notice.tsx";
import { toast } from "../../components/toast.tsx";
import css from "./api-keys.module.css";
import { AbilitiesField, LimitFields, NameFields } from "./key-fields.tsx";
import { abilitiesOf, addressesOf, expiresAt, type KeyValues, valuesOf } from "./key-form.ts";

/** Waits for what it edits: the version it sends back belongs to the values it shows. */
export function EditKeyDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const key = useApiKey(String(id)).data;
  const catalogue = useCatalogue().data;
  return key && catalogue ? <EditForm loaded={key} catalogue={catalogue} onClose={onClose} /> : null;
}

interface EditFormProps {
  loaded: Versioned<ApiKey>;
  catalogue: Catalogue;
  onClose: () => void;
}

function EditForm({ loaded, catalogue, onClose }: EditFormProps) {
  const [{ record, etag }] = useState(loaded);
  const before = valuesOf(record, catalogue);
  const [values, setValues] = useState(before);
  const save = useUpdateKey(record.id);
  const fields = {
    values,
    onChange: (change: Partial<KeyValues>) => setValues((current) => ({ ...current, ...change })),
    error: save.error,
  };
  const submit = () => {
    const body = changesBetween(before, values);
    if (Object.keys(body).length === 0) return onClose();
    save.mutate(
      { body, etag },
      {
        onSuccess: () => {
          toast("Key updated. The change is effective at once.");
          onClose();
        },
      },
    );
  };
  const noAbility = abilitiesOf(values).length === 0;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Edit key"
      description="Changes are effective at once. The secret stays the same."
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={save.isPending} disabled={noAbility}>
            Save changes
          </Button>
        </>
      }
    >
      <NameFields {...fields} />
      <div className={css.stack}>
        <h3>Abilities</h3>
        <AbilitiesField {...fields} />
        {noAbility && <Notice tone="warning">Select at least one ability, or pause the key instead.</Notice>}
      </div>
      <LimitFields {...fields} />
      {save.error && Object.keys(save.error.details).length === 0 && (
        <Notice tone="danger">{save.error.message}</Notice>
      )}
    </Dialog>
  );
}

/** Only what was changed here: a field that somebody else changed meanwhile is left as it is. */
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
