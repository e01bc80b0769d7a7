import * as Radix from "@radix-ui/react-tabs";
import type { ReactNode } from "react";
import css from "./tabs.module.css";

interface TabsProps {
  label: string;
  tabs: readonly { value: string; title: ReactNode; content: ReactNode }[];
  /** Controlled, where the address keeps it. */
  value?: string;
  onChange?: (value: string) => void;
}

export const Tabs = ({ label, tabs, value, onChange }: TabsProps) => (
  <Radix.Root
    {...(value === undefined ? { defaultValue: tabs[0]?.value ?? "" } : { value })}
    {...(onChange ? { onValueChange: onChange } : {})}
  >
    <Radix.List className={css.list} aria-label={label}>
      {tabs.map((tab) => (
        <Radix.Trigger key={tab.value} value={tab.value} className={css.tab}>
          {tab.title}
        </Radix.Trigger>
      ))}
    </Radix.List>
    {tabs.map((tab) => (
      <Radix.Content key={tab.value} value={tab.value} className={css.panel}>
        {tab.content}
      </Radix.Content>
    ))}
  </Radix.Root>
);
