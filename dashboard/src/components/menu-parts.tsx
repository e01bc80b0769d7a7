import * as Radix from "@radix-ui/react-dropdown-menu";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";
import css from "./menu.module.css";
import type { MenuChoicesProps, MenuItemProps, MenuProps } from "./menu.tsx";

interface LoadedMenuProps extends MenuProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Its first item is selected. Radix does it by itself only for a key that was pressed after the menu was loaded. */
  startsAtFirst: boolean;
}

export const Menu = (props: LoadedMenuProps) => (
  <Radix.Root modal={false} open={props.open} onOpenChange={props.onOpenChange}>
    <Radix.Trigger asChild>{props.trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content
        className={css.content}
        align={props.align ?? "end"}
        side={props.side ?? "bottom"}
        sideOffset={6}
        collisionPadding={8}
        onCloseAutoFocus={(event) => props.onCloseAutoFocus?.(event)}
        onFocus={({ target, currentTarget }) => {
          if (props.startsAtFirst && target === currentTarget)
            currentTarget.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
        }}
      >
        {props.children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);

export const MenuItem = ({ icon, onSelect, danger, disabled = false, children }: MenuItemProps) => (
  <Radix.Item className={cx(css.item, danger && css.danger)} onSelect={onSelect} disabled={disabled}>
    {icon}
    <span className={css.grow}>{children}</span>
  </Radix.Item>
);

/** One of several, with a tick at the one in force. */
export const MenuChoices = <Value extends string>({ label, value, options, onChange }: MenuChoicesProps<Value>) => (
  <Radix.Group>
    <Radix.Label className={css.label}>{label}</Radix.Label>
    <Radix.RadioGroup value={value} onValueChange={(next) => onChange(next as Value)}>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} className={css.item}>
          {option.icon}
          <span className={css.grow}>{option.title}</span>
          {option.detail !== undefined && <span className={css.detail}>{option.detail}</span>}
          <Radix.ItemIndicator className={css.tick}>
            <Check size={14} aria-hidden />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  </Radix.Group>
);

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <Radix.Label className={css.label}>{children}</Radix.Label>
);

export const MenuSeparator = () => <Radix.Separator className={css.separator} />;
