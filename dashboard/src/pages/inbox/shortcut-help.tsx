import { useState } from "react";
import { useSession } from "../../api/session.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Check } from "../../components/field.tsx";
import { MODIFIER } from "../../lib/modifier.ts";
import { areShortcutsOn, setShortcuts } from "../../lib/shortcuts.ts";
import { mayOpen, type PagePath } from "../../site-map.ts";
import css from "./inbox.module.css";

/** `page`: only for those who may open it. */
const SHORTCUTS: readonly (readonly [keys: string, what: string, page?: PagePath])[] = [
  ["j / k", "Next / previous conversation"],
  ["Enter", "Open the conversation"],
  ["Esc", "Clear the selection, or back to the list"],
  ["c", "New conversation"],
  ["r", "Reply"],
  ["n", "Write a note"],
  [`${MODIFIER} Enter`, "Send"],
  [`${MODIFIER} Shift Enter`, "Send and resolve"],
  ["z", "Undo the last send or change"],
  ["e", "Resolve, and open the next"],
  ["s", "Snooze"],
  ["a", "Assign"],
  ["i", "Assign to me"],
  ["l", "Labels"],
  ["p", "Priority"],
  ["u", "Mark as unread"],
  ["x", "Select"],
  ["y", "Use the first suggestion"],
  ["]", "Show or hide details"],
  ["/", "Search this list"],
  [`${MODIFIER} K`, "Search everything"],
  ["g i", "Go to the inbox"],
  ["g 1 … g 9", "Go to a saved view"],
  ["g c", "Go to contacts"],
  ["g o", "Go to the overview", "/overview"],
  ["g w", "Go to webhooks", "/settings/webhooks"],
  ["g k", "Go to API keys", "/settings/api-keys"],
  ["?", "This list"],
];

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(areShortcutsOn());
  const { role } = useSession();
  const shown = SHORTCUTS.filter(([, , page]) => !page || mayOpen(role, page));
  return (
    <Dialog open wide onClose={onClose} title="Keyboard shortcuts">
      <dl className={css.shortcuts}>
        {shown.map(([keys, what]) => (
          <div key={keys}>
            <dt>{what}</dt>
            <dd>
              <kbd>{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <Check
        title="Single-key shortcuts"
        hint="Turn them off if they clash with a screen reader or with dictation."
        checked={on}
        onChange={(event) => {
          setOn(event.target.checked);
          setShortcuts(event.target.checked);
        }}
      />
    </Dialog>
  );
}
