import { cloneElement, type ReactElement, type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { t } from "../lib/texts.ts";
import { whenUsed } from "../lib/when-used.ts";
import { toast } from "./toast.tsx";

export interface MenuProps {
  /** One button. */
  trigger: ReactElement<TriggerProps>;
  align?: "start" | "end";
  side?: "top" | "bottom";
  /** Whether it is open, where something else than its button opens it as well. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** The menu has gone. Its button gets the focus next, unless this prevents it. */
  onCloseAutoFocus?: (event: Event) => void;
  children: ReactNode;
}

interface TriggerProps {
  "aria-haspopup"?: "menu";
  "aria-expanded"?: boolean;
  onPointerDown?: (event: React.PointerEvent<HTMLElement>) => void;
  onKeyDown?: (event: React.KeyboardEvent<HTMLElement>) => void;
}

export interface MenuItemProps {
  icon?: ReactNode;
  onSelect: () => void;
  danger?: boolean;
  disabled?: boolean;
  children: ReactNode;
}

export interface MenuChoicesProps<Value extends string> {
  label: string;
  value: Value;
  /** `detail` is at the end of the line, in a muted color. */
  options: readonly { value: Value; title: string; icon?: ReactNode; detail?: string | undefined }[];
  onChange: (value: Value) => void;
}

type Parts = typeof import("./menu-parts.tsx");
let parts: Parts | null = null;

const load = async (): Promise<void> => {
  parts ??= await import("./menu-parts.tsx");
};
whenUsed(load);

const OPENING_KEYS = ["Enter", " ", "ArrowDown"];

/**
 * A button with a menu, which a shortcut can open too: `open`. The code of menus has 20 kB and is not needed to show a page,
 * so it is loaded when the page is first used, or by the first menu that opens.
 */
export function Menu({ open, onOpenChange, ...props }: MenuProps) {
  const [loaded, setLoaded] = useState(parts);
  const [isPressed, setPressed] = useState(false);
  // Opened by a key, a menu has its first item selected; opened by a pointer it has none.
  const [isByPointer, setByPointer] = useState(false);
  const isOpen = open ?? isPressed;
  const change = (next: boolean) => {
    setPressed(next);
    if (!next) setByPointer(false);
    onOpenChange?.(next);
  };
  const failed = useEffectEvent(() => {
    change(false);
    toast(t("The menu could not be loaded. Check your connection and try again."), { failed: true });
  });
  const isMissing = isOpen && loaded === null;
  useEffect(() => {
    if (isMissing) load().then(() => setLoaded(parts), failed);
  }, [isMissing]);
  const trigger = cloneElement(props.trigger, {
    onPointerDown: (event) => {
      if (event.button !== 0 || event.ctrlKey) return;
      setByPointer(true);
      if (loaded) return;
      // The menu takes the focus; the button must not take it back.
      event.preventDefault();
      change(true);
    },
    ...(loaded
      ? {}
      : {
          "aria-haspopup": "menu",
          "aria-expanded": false,
          onKeyDown: (event: React.KeyboardEvent<HTMLElement>) => {
            if (!OPENING_KEYS.includes(event.key)) return;
            event.preventDefault();
            change(true);
          },
        }),
  });
  if (!loaded) return trigger;
  return <loaded.Menu {...props} trigger={trigger} open={isOpen} onOpenChange={change} startsAtFirst={!isByPointer} />;
}

// Items are drawn inside an open menu, so the parts are there.
export const MenuItem = (props: MenuItemProps) => parts && <parts.MenuItem {...props} />;
export const MenuChoices = <Value extends string>(props: MenuChoicesProps<Value>) =>
  parts && <parts.MenuChoices {...props} />;
export const MenuLabel = (props: { children: ReactNode }) => parts && <parts.MenuLabel {...props} />;
export const MenuSeparator = () => parts && <parts.MenuSeparator />;
