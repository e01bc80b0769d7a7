import * as Radix from "@radix-ui/react-dialog";
import { X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { IconButton } from "../../../components/button.tsx";
import { t } from "../../../lib/texts.ts";
import css from "./attempt.module.css";

interface SidePanelProps {
  title: ReactNode;
  actions?: ReactNode;
  onClose: () => void;
  /** Where focus goes afterwards. */
  focusAfter: () => HTMLElement | null;
  children: ReactNode;
}

/** A dialog at the right edge, as high as the window; on narrow screens it is the window. */
export function SidePanel({ title, actions, onClose, focusAfter, children }: SidePanelProps) {
  const content = useRef<HTMLDivElement>(null);
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={css.overlay} />
        <Radix.Content
          ref={content}
          className={css.panel}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            content.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            const target = focusAfter();
            if (!target) return;
            event.preventDefault();
            target.focus({ preventScroll: true });
          }}
        >
          <div className={css.head}>
            <Radix.Title className={css.title}>{title}</Radix.Title>
            <div className={css.headActions}>
              {actions}
              <Radix.Close asChild>
                <IconButton label={t("Close")} icon={<X size={16} aria-hidden />} />
              </Radix.Close>
            </div>
          </div>
          <div className={css.body}>{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
