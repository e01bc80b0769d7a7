import { Trash2 } from "lucide-react";
import { useState } from "react";
import { type TwoFactor, useAddPasskey, useRemovePasskey } from "../../api/account.ts";
import { ApiError } from "../../api/client.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { ConfirmDialog, Dialog, SubmitFooter } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { Section } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toast.tsx";
import { PasskeyError } from "../auth/passkey-error.tsx";
import css from "./account.module.css";
import { useRecoveryCodes } from "./recovery-codes-dialog.tsx";

type Passkey = TwoFactor["passkeys"][number];

export function PasskeySection({ passkeys }: { passkeys: readonly Passkey[] }) {
  const [adding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<Passkey | null>(null);
  const recoveryCodes = useRecoveryCodes();
  const remove = useRemovePasskey();
  return (
    <Section
      title="Passkeys"
      description="Your finger, face or device PIN instead of a code, or instead of the password."
      actions={
        <Button variant={passkeys.length === 0 ? "primary" : "secondary"} onClick={() => setAdding(true)}>
          Add a passkey
        </Button>
      }
      flush={passkeys.length > 0}
    >
      {passkeys.length === 0 ? (
        <p className={css.quiet}>None yet.</p>
      ) : (
        <Table label="Passkeys" columns={["Name", "Added", "Last used", ""]}>
          {passkeys.map((passkey) => (
            <tr key={passkey.id}>
              <td className={css.name}>{passkey.name}</td>
              <td data-label="Added" className={css.quiet}>
                <Time at={passkey.created_at} form="day" />
              </td>
              <td data-label="Last used" className={css.quiet}>
                {passkey.last_used_at ? <Time at={passkey.last_used_at} /> : "Never"}
              </td>
              <td data-corner className={css.end}>
                <IconButton
                  label={`Remove ${passkey.name}`}
                  icon={<Trash2 size={16} aria-hidden />}
                  onClick={() => setLeaving(passkey)}
                />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {adding && (
        <AddDialog
          onClose={() => setAdding(false)}
          onDone={(codes) => {
            setAdding(false);
            recoveryCodes.show(codes);
            toast("Passkey added.");
          }}
        />
      )}
      {recoveryCodes.dialog}
      <ConfirmDialog
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        onConfirm={() => leaving && remove.mutate(leaving.id, { onSuccess: () => setLeaving(null) })}
        busy={remove.isPending}
        error={remove.error}
        title={`Remove ${leaving?.name ?? ""}?`}
        confirm="Remove passkey"
      >
        <p>It no longer signs you in. Delete it on your device too.</p>
      </ConfirmDialog>
    </Section>
  );
}

/** Browsers bind a passkey to a name; at an address such as 192.0.2.1 or [::1] they refuse to create one. */
const isAddress = (host: string): boolean => /^[\d.]+$/.test(host) || host.startsWith("[");

const LOOPBACK = /^(?:127\.[\d.]+|\[::1\])$/;

/** Said before the browser is asked. */
function WhyNotHere() {
  const { hostname, href, protocol, port, pathname } = window.location;
  if (isAddress(hostname)) {
    const named = `${protocol}//localhost${port && `:${port}`}${pathname}`;
    return (
      <Notice tone="warning">
        Passkeys need a name, and {new URL(href).host} is an address.{" "}
        {LOOPBACK.test(hostname) ? (
          <>
            Open <a href={named}>{named}</a> instead, and sign in there.
          </>
        ) : (
          "Open Parley by the name that it has in your network, over https."
        )}
      </Notice>
    );
  }
  return typeof window.PublicKeyCredential === "function" ? null : (
    <Notice tone="warning">Passkeys need https, or http://localhost.</Notice>
  );
}

interface AddDialogProps {
  onClose: () => void;
  onDone: (codes: string[] | null) => void;
}

function AddDialog({ onClose, onDone }: AddDialogProps) {
  const add = useAddPasskey();
  const [name, setName] = useState("");
  const fieldError = add.error instanceof ApiError ? add.error.details.name : null;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add a passkey"
      description="Your browser asks next. The name is for you: the device, or the password manager that keeps it."
      onSubmit={() => add.mutate(name, { onSuccess: ({ recovery_codes }) => onDone(recovery_codes) })}
      footer={
        <SubmitFooter
          onCancel={onClose}
          busy={add.isPending}
          disabled={name.trim() === "" || isAddress(window.location.hostname)}
        >
          Continue
        </SubmitFooter>
      }
    >
      <WhyNotHere />
      <Field label="Name" error={fieldError}>
        {(control) => (
          <Input {...control} placeholder="My laptop" value={name} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      {add.error && !fieldError && <PasskeyError error={add.error} />}
    </Dialog>
  );
}
