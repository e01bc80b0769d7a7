import { useState } from "react";
import { useSession } from "../../api/session.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Check } from "../../components/field.tsx";
import { modifier } from "../../lib/modifier.ts";
import { areShortcutsOn, setShortcuts } from "../../lib/shortcuts.ts";
import { t } from "../../lib/texts.ts";
import { mayOpen, type PagePath } from "../../site-map.ts";
import css from "./inbox.module.css";

/** `page`: only for those who may open it. */
const SHORTCUTS: readonly (readonly [keys: string, what: string, page?: PagePath])[] = [
  ["j / k", t("Next / previous conversation")],
  ["Enter", t("Open the conversation")],
  [t("Esc"), t("Clear the selection, or back to the list")],
  ["c", t("New conversation")],
  ["r", t("Write a reply")],
  ["n", t("Write a note")],
  [`${modifier()} Enter`, t("Send")],
  [t("{modifier} Shift Enter", { modifier: modifier() }), t("Send and resolve")],
  ["z", t("Undo the last send or change")],
  ["e", t("Resolve, and open the next")],
  ["s", t("Snooze")],
  ["a", t("Assign")],
  ["i", t("Assign to me")],
  ["l", t("Labels")],
  ["p", t("Priority")],
  ["u", t("Mark as unread")],
  ["x", t("Select")],
  ["y", t("Use the first suggestion")],
  ["]", t("Show or hide details")],
  ["/", t("Search this list")],
  [`${modifier()} K`, t("Search everything")],
  ["g i", t("Go to the inbox")],
  ["g 1 … g 9", t("Go to a saved view")],
  ["g c", t("Go to contacts")],
  ["g o", t("Go to the overview"), "/overview"],
  ["g w", t("Go to webhooks"), "/settings/webhooks"],
  ["g k", t("Go to API keys"), "/settings/api-keys"],
  ["?", t("This list")],
];

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(areShortcutsOn());
  const { role } = useSession();
  const shown = SHORTCUTS.filter(([, , page]) => !page || mayOpen(role, page));
  return (
    <Dialog open wide onClose={onClose} title={t("Keyboard shortcuts")}>
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
        title={t("Single-key shortcuts")}
        hint={t("Turn them off if they clash with a screen reader or with dictation.")}
        checked={on}
        onChange={(event) => {
          setOn(event.target.checked);
          setShortcuts(event.target.checked);
        }}
      />
    </Dialog>
  );
}
