import { Eye, Pencil } from "lucide-react";
import css from "./thread.module.css";
import { usePresence } from "./use-presence.ts";

/** Who else looks at this conversation, and who is writing. */
export function Viewers({ conversation }: { conversation: number }) {
  const others = usePresence(conversation);
  if (others.length === 0) return null;
  const writing = others.filter(({ typing }) => typing);
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name).join(", ");
  return (
    <p className={css.viewers} role="status">
      {writing.length > 0 ? <Pencil size={13} aria-hidden /> : <Eye size={13} aria-hidden />}
      {writing.length > 0
        ? `${names(writing)} ${writing.length === 1 ? "is" : "are"} writing`
        : `${names(others)} ${others.length === 1 ? "is" : "are"} viewing this`}
    </p>
  );
}
