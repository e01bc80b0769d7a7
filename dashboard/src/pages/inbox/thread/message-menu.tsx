import { Copy, Link2, MoreHorizontal, Pencil, Quote, Trash2 } from "lucide-react";
import { type RefObject, useRef, useState } from "react";
import { type Message, useDeleteMessage } from "../../../api/messages.ts";
import { useSession } from "../../../api/session.ts";
import { IconButton } from "../../../components/button.tsx";
import { ConfirmDialog } from "../../../components/dialog.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../../components/menu.tsx";
import { t } from "../../../lib/texts.ts";
import { EditMessageDialog } from "../lazy-parts.tsx";
import { copy, copyLinkTo } from "../share.ts";
import css from "./message-menu.module.css";
import { quoteOf } from "./quote.ts";
import type { ThreadHandle } from "./thread-handle.ts";

interface MessageMenuProps {
  message: Message;
  thread: RefObject<ThreadHandle | null>;
}

/** What can be done with one message. */
export function MessageMenu({ message, thread }: MessageMenuProps) {
  const { user } = useSession();
  const [dialog, setDialog] = useState<"edit" | "delete" | null>(null);
  const { body, direction, seq, conversation_id: conversation } = message;
  const isOwn = message.sender.type === "user" && message.sender.id === user.id;
  const close = () => setDialog(null);
  const quotes = useRef(false);
  const quote = (event: Event) => {
    if (!quotes.current || !body) return;
    quotes.current = false;
    event.preventDefault();
    thread.current?.insert(quoteOf({ body, direction }));
  };
  return (
    <div className={css.menu}>
      <Menu
        // The focus is to stay in the composer: not before the menu is gone.
        onCloseAutoFocus={quote}
        trigger={
          <IconButton
            size="small"
            label={t("Actions for message {seq}", { seq })}
            icon={<MoreHorizontal size={14} aria-hidden />}
          />
        }
      >
        {body && (
          <>
            <MenuItem
              icon={<Quote size={14} aria-hidden />}
              onSelect={() => {
                quotes.current = true;
              }}
            >
              {t("Quote")}
            </MenuItem>
            <MenuItem icon={<Copy size={14} aria-hidden />} onSelect={() => void copy(body, t("Text copied"))}>
              {t("Copy text")}
            </MenuItem>
          </>
        )}
        <MenuItem icon={<Link2 size={14} aria-hidden />} onSelect={() => void copyLinkTo({ conversation, seq })}>
          {t("Copy link to message")}
        </MenuItem>
        {isOwn && <MenuSeparator />}
        {/* A mail was sent as it is. */}
        {isOwn && message.email === null && (
          <MenuItem icon={<Pencil size={14} aria-hidden />} onSelect={() => setDialog("edit")}>
            {t("Edit")}
          </MenuItem>
        )}
        {isOwn && (
          <MenuItem icon={<Trash2 size={14} aria-hidden />} onSelect={() => setDialog("delete")} danger>
            {t("Delete")}
          </MenuItem>
        )}
      </Menu>
      {dialog === "edit" && <EditMessageDialog message={message} onClose={close} />}
      {dialog === "delete" && <DeleteDialog message={message} onClose={close} />}
    </div>
  );
}

function DeleteDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const remove = useDeleteMessage(message);
  return (
    <ConfirmDialog
      open
      title={message.private ? t("Delete this note?") : t("Delete this message?")}
      confirm={t("Delete")}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      {message.email === null
        ? t("It is removed permanently, here and from the contact's chat.")
        : t("It is removed here permanently. A mail that has been sent stays with those who received it.")}
    </ConfirmDialog>
  );
}
