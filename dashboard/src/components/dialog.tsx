import { type ReactNode, useEffect, useState } from "react";
import { t } from "../lib/texts.ts";
import "../lib/opener.ts";
import { whenUsed } from "../lib/when-used.ts";
import { Button, type ButtonVariant } from "./button.tsx";
import { Notice } from "./notice.tsx";
import { toast } from "./toast.tsx";

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** The row of buttons. */
  footer?: ReactNode;
  wide?: boolean;
  /** As large as the window permits: for pictures. */
  large?: boolean;
  /** The form's submission, where the dialog is one: Enter works in every field. */
  onSubmit?: () => void;
  /** Neither a click outside nor Escape closes it: what it shows cannot be shown again, and what was typed would be lost. */
  sticky?: boolean;
  /** There is no way out but its own buttons. */
  locked?: boolean;
  children?: ReactNode;
}

type Parts = typeof import("./dialog-parts.tsx");
let parts: Parts | null = null;

const load = async (): Promise<Parts> => {
  parts ??= await import("./dialog-parts.tsx");
  return parts;
};
whenUsed(load);

export function provideParts(given: Parts): void {
  parts = given;
}

const RETRY_MS = 2_000;

/**
 * A dialog keeps the focus inside and returns it to where it came from. The code for that has 10 kB and no page opens with a
 * dialog, so it is loaded when the page is first used. If that fails, the dialog closes with a message; one that must not be
 * closed (it shows what cannot be shown again) waits for the connection.
 */
export function Dialog(props: DialogProps) {
  const { open, onClose, sticky, locked } = props;
  const [loaded, setLoaded] = useState(parts);
  const [failures, setFailures] = useState(0);
  const mayClose = !sticky && !locked;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per opening and per failure, whichever callback is current
  useEffect(() => {
    if (!open || loaded) return;
    let isOpen = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const failed = () => {
      if (!isOpen) return;
      if (failures === 0)
        toast(t("The dialog could not be loaded. Check your connection and try again."), { failed: true });
      if (mayClose) onClose();
      else timer = setTimeout(() => setFailures(failures + 1), RETRY_MS);
    };
    load().then((found) => isOpen && setLoaded(found), failed);
    return () => {
      isOpen = false;
      clearTimeout(timer);
    };
  }, [open, loaded, failures]);
  return loaded && <loaded.Dialog {...props} />;
}

interface SubmitFooterProps {
  onCancel: () => void;
  busy: boolean;
  disabled?: boolean;
  variant?: "primary" | "danger";
  /** The verb on the button. */
  children: ReactNode;
}

/** The footer of a dialog with a form: Cancel, and the button that submits it. */
export const SubmitFooter = ({
  onCancel,
  busy,
  disabled = false,
  variant = "primary",
  children,
}: SubmitFooterProps) => (
  <>
    <Button onClick={onCancel}>{t("Cancel")}</Button>
    <Button type="submit" variant={variant} busy={busy} disabled={disabled}>
      {children}
    </Button>
  </>
);

interface ConfirmDialogProps {
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: string;
  /** What will happen, and what will break. */
  children: ReactNode;
  /** The verb: "Revoke key". */
  confirm: string;
  cancel?: string;
  variant?: ButtonVariant;
  busy?: boolean;
  error?: Error | null;
}

export function ConfirmDialog({
  confirm,
  cancel = t("Cancel"),
  onConfirm,
  variant = "danger",
  busy,
  error,
  children,
  ...rest
}: ConfirmDialogProps) {
  return (
    <Dialog
      {...rest}
      footer={
        <>
          <Button onClick={rest.onClose}>{cancel}</Button>
          <Button variant={variant} busy={busy ?? false} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      {error && <Notice tone="danger">{error.message}</Notice>}
    </Dialog>
  );
}
