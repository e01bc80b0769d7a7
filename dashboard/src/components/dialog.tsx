import * as Radix from "@radix-ui/react-dialog";
import { X } from "lucide-react";
import { type FormEvent, type ReactNode, useRef } from "react";
import { cx } from "../lib/cx.ts";
import { Button, type ButtonVariant, IconButton } from "./button.tsx";
import css from "./dialog.module.css";
import { Notice } from "./notice.tsx";

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** The row of buttons. */
  footer?: ReactNode;
  wide?: boolean;
  /** The form's submission, where the dialog is one: Enter works in every field. */
  onSubmit?: () => void;
  /** Neither a click outside nor Escape closes it: what it shows cannot be shown again, and what was typed would be lost. */
  sticky?: boolean;
  /** There is no way out but its own buttons. */
  locked?: boolean;
  children?: ReactNode;
}

/** Focus is kept inside and goes back to where it came from. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  footer,
  wide,
  onSubmit,
  sticky,
  locked,
  children,
}: DialogProps) {
  const inside = (
    <>
      {children && <div className={css.body}>{children}</div>}
      {footer && <div className={css.foot}>{footer}</div>}
    </>
  );
  const opener = useRef<Element | null>(null);
  const returnFocus = (event: Event) => {
    event.preventDefault();
    // A dialog whose field takes focus by itself fires no event on opening.
    const from = opener.current ?? lastOnPage;
    opener.current = null;
    const back = from?.isConnected ? from : document.getElementById("main");
    if (back instanceof HTMLElement) back.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={css.overlay}>
          <Radix.Content
            className={cx(css.content, wide && css.wide)}
            {...(description ? {} : { "aria-describedby": undefined })}
            onOpenAutoFocus={({ target }) => {
              opener.current = openerOf(document.activeElement, target as Element);
            }}
            onCloseAutoFocus={returnFocus}
            onInteractOutside={(event) => (sticky || locked) && event.preventDefault()}
            onEscapeKeyDown={(event) => (sticky || locked) && event.preventDefault()}
          >
            <div className={css.head}>
              <Radix.Title>{title}</Radix.Title>
              {description && <Radix.Description className={css.description}>{description}</Radix.Description>}
            </div>
            {onSubmit ? (
              <form noValidate onSubmit={submit}>
                {inside}
              </form>
            ) : (
              inside
            )}
            {/* Last, though seen first: focus begins in the first field, or on the close button. */}
            {!locked && (
              <div className={css.close}>
                <Radix.Close asChild>
                  <IconButton label="Close" size="small" icon={<X size={16} aria-hidden />} />
                </Radix.Close>
              </div>
            )}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  );
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
    <Button onClick={onCancel}>Cancel</Button>
    <Button type="submit" variant={variant} busy={busy} disabled={disabled}>
      {children}
    </Button>
  </>
);

/** What was focused last on the page itself, outside menus and dialogs. */
let lastOnPage: Element | null = null;
document.addEventListener("focusin", ({ target }) => {
  const element = target instanceof Element ? buttonOfMenu(target) : null;
  if (element && !element.closest("[role=menu], [role=dialog]")) lastOnPage = element;
});

/** For what is in a menu, the button that opened it: a click on that button focuses the menu and never the button. */
function buttonOfMenu(element: Element): Element {
  const button = element.closest("[role=menu]")?.getAttribute("aria-labelledby");
  return (button && document.getElementById(button)) || element;
}

/** The item of a menu is gone when focus goes back, and a field of the dialog itself may have it already. */
const openerOf = (focused: Element | null, dialog: Element): Element | null =>
  focused === null || focused === document.body || focused.closest("[role=menu]") || dialog.contains(focused)
    ? lastOnPage
    : focused;

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
  cancel = "Cancel",
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
