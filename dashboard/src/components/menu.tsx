import { cloneElement, type ReactElement, type ReactNode, useEffect, useRef, useState } from "react";
import { whenUsed } from "../lib/when-used.ts";
import { toast } from "./toast.tsx";

export interface MenuProps {
  /** One button. */
  trigger: ReactElement<TriggerProps>;
  align?: "start" | "end";
  side?: "top" | "bottom";
  children: ReactNode;
}

interface TriggerProps {
  id?: string;
  onPointerDown?: (event: React.PointerEvent<HTMLElement>) => void;
  onKeyDown?: (event: React.KeyboardEvent<HTMLElement>) => void;
  ref?: React.Ref<HTMLElement>;
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
 * A button with a menu. The code of menus has 20 kB and is not needed to show a page, so it is loaded when the page is
 * first used, or by the first press of such a button. That press is then repeated, because the menu acts on the event itself:
 * after a key it selects its first item, after a pointer it does not.
 */
export function Menu(props: MenuProps) {
  const [loaded, setLoaded] = useState(parts);
  const [pressed, setPressed] = useState<Event | null>(null);
  const button = useRef<HTMLElement>(null);
  useEffect(() => {
    if (loaded && pressed) button.current?.dispatchEvent(pressed);
  }, [loaded, pressed]);
  const press = (event: Event) =>
    load().then(
      () => {
        setLoaded(parts);
        setPressed(event);
      },
      () => toast("The menu could not be loaded. Check your connection and try again.", { failed: true }),
    );
  if (loaded) return <loaded.Menu {...props} trigger={cloneElement(props.trigger, { ref: button })} />;
  return cloneElement(props.trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerDown: (event) => {
      if (event.button !== 0 || event.ctrlKey) return;
      // The menu takes the focus; the button must not take it back.
      event.preventDefault();
      const { pointerType } = event;
      void press(new PointerEvent("pointerdown", { button: 0, pointerType, bubbles: true, cancelable: true }));
    },
    onKeyDown: (event) => {
      if (!OPENING_KEYS.includes(event.key)) return;
      event.preventDefault();
      void press(new KeyboardEvent("keydown", { key: event.key, bubbles: true, cancelable: true }));
    },
  } as TriggerProps);
}

// Items are drawn inside an open menu, so the parts are there.
export const MenuItem = (props: MenuItemProps) => parts && <parts.MenuItem {...props} />;
export const MenuChoices = <Value extends string>(props: MenuChoicesProps<Value>) =>
  parts && <parts.MenuChoices {...props} />;
export const MenuLabel = (props: { children: ReactNode }) => parts && <parts.MenuLabel {...props} />;
export const MenuSeparator = () => parts && <parts.MenuSeparator />;
