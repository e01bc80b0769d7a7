import { useState } from "react";
import { useChangeKey } from "../../api/api-keys.ts";
import type { ApiKey, UpdateApiKeyBody } from "../../api/schema.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Notice } from "../../components/notice.tsx";
import { toast } from "../../components/toast.tsx";
import css from "./api-keys.module.css";
import { AbilitiesField, LimitFields, NameFields } from "./key-fields.tsx";
import { abilitiesOf, addressesOf, expiresAt, type KeyValues, valuesOf } from "./key-form.ts";

export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [before] = useState(() => valuesOf(apiKey));
  const [values, setValues] = useState(before);
  const save = useChangeKey(apiKey.id);
  const fields = {
    values,
    onChange: (change: Partial<KeyValues>) => setValues((current) => ({ ...current, ...change })),
    error: save.error,
  };
  const submit = () => {
    const changes = changesBetween(before, values);
    if (Object.keys(changes).length === 0) return onClose();
    save.mutate(changes, {
      onSuccess: () => {
        toast("The key is changed. It holds at once.");
        onClose();
      },
    });
  };
  const noAbility = abilitiesOf(values).length === 0;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Edit key"
      description="Changes hold at once. The secret stays the same."
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
        {noAbility && <Notice tone="warning">Tick at least one ability, or pause the key instead.</Notice>}
      </div>
      <LimitFields {...fields} />
      {save.error && Object.keys(save.error.details).length === 0 && (
        <Notice tone="danger">{save.error.message}</Notice>
      )}
    </Dialog>
  );
}

/** Only what was touched: a field somebody else changed meanwhile is left as it is. */
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
