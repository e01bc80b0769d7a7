import * as Radix from "@radix-ui/react-dialog";
import type { RefObject } from "react";
import { t } from "../lib/texts.ts";
import css from "./app-shell.module.css";
import { Navigation } from "./navigation.tsx";

interface NavigationDrawerProps {
  open: boolean;
  onClose: () => void;
  /** Where the focus goes back to. */
  opener: RefObject<HTMLButtonElement | null>;
}

/** The navigation on a narrow screen. */
export const NavigationDrawer = ({ open, onClose, opener }: NavigationDrawerProps) => (
  <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
    <Radix.Portal>
      <Radix.Overlay className={css.drawerOverlay} />
      <Radix.Content
        className={css.drawer}
        aria-describedby={undefined}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          opener.current?.focus();
        }}
      >
        <Radix.Title className="visually-hidden">{t("Navigation")}</Radix.Title>
        <Navigation />
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);
