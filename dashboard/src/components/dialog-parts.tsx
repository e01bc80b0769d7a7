import * as Radix from "@radix-ui/react-dialog";
import { X } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useRef } from "react";
import { cx } from "../lib/cx.ts";
import { lastFocusedOnPage, openerOf } from "../lib/opener.ts";
import { t } from "../lib/texts.ts";
import { IconButton } from "./button.tsx";
import css from "./dialog.module.css";
import type { DialogProps } from "./dialog.tsx";

/** Enter begins a line in a large field; there Ctrl and Enter submit, as they send in the inbox. */
function submitByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey) || !(event.target instanceof HTMLTextAreaElement))
    return;
  event.preventDefault();
  // By its button, which does nothing while it is busy.
  event.currentTarget.querySelector<HTMLButtonElement>("button[type=submit]")?.click();
}

/** Focus is kept inside and goes back to where it came from. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  footer,
  wide,
  large,
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
    const from = opener.current ?? lastFocusedOnPage();
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
            className={cx(css.content, wide && css.wide, large && css.large)}
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
              <form noValidate onSubmit={submit} onKeyDown={submitByKey}>
                {inside}
              </form>
            ) : (
              inside
            )}
            {/* Last, though seen first: focus begins in the first field, or on the close button. */}
            {!locked && (
              <div className={css.close}>
                <Radix.Close asChild>
                  <IconButton label={t("Close")} size="small" icon={<X size={16} aria-hidden />} />
                </Radix.Close>
              </div>
            )}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  );
}
