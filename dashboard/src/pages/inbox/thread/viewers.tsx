import { Eye, Pencil, Send } from "lucide-react";
import type { Conversation } from "../../../api/conversations.ts";
import { language } from "../../../lib/language.ts";
import { plural } from "../../../lib/texts.ts";
import { useOutgoing } from "../composer/outbox.ts";
import { contactName } from "../names.ts";
import css from "./thread.module.css";
import { usePresence } from "./use-presence.ts";

const together = new Intl.ListFormat(language, { type: "conjunction" });

/** Who else looks at this conversation, and who is writing. */
export function Viewers({ conversation }: { conversation: Conversation }) {
  const { id } = conversation;
  const isSending = useOutgoing(id).some((message) => !message.private && message.state !== "failed");
  const others = usePresence(id, isSending).map((one) =>
    one.contact ? { ...one, name: contactName(conversation) } : one,
  );
  if (others.length === 0) return null;
  const sending = others.filter((one) => one.sending);
  const writing = others.filter(({ typing }) => typing);
  const names = (list: readonly { name: string }[]) => together.format(list.map(({ name }) => name));
  const [Icon, who] =
    sending.length > 0
      ? ([Send, sending] as const)
      : writing.length > 0
        ? ([Pencil, writing] as const)
        : ([Eye, others] as const);
  const values = { names: names(who) };
  return (
    <p className={css.viewers} role="status">
      <Icon size={13} aria-hidden />
      {who === sending
        ? plural(who.length, "{names} is sending a reply", "{names} are sending a reply", values)
        : who === writing
          ? plural(who.length, "{names} is writing", "{names} are writing", values)
          : plural(who.length, "{names} is viewing this", "{names} are viewing this", values)}
    </p>
  );
}
