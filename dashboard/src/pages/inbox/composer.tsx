import { Paperclip, Send } from "lucide-react";
import { type ChangeEvent, type ClipboardEvent, type DragEvent, type KeyboardEvent, useRef, useState } from "react";
import type { Conversation } from "../../api/conversations.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { cx } from "../../lib/cx.ts";
import css from "./composer.module.css";
import { type Insertion, insertionAt } from "./insertion.ts";
import { InsertPicker, UploadList } from "./lazy-parts.tsx";
import { type ComposedMessage, useTakenBack } from "./outbox.ts";
import type { DraftState } from "./use-draft.ts";
import { noteSent, noteTyping } from "./use-presence.ts";
import { useUploads } from "./use-uploads.ts";

interface ComposerProps {
  conversation: Conversation;
  draft: DraftState;
  /** Somebody else replied since this text was begun. */
  repliedMeanwhile: string | null;
  onSend: (message: ComposedMessage, options: { resolve: boolean }) => void;
}

export function Composer({ conversation, draft, repliedMeanwhile, onSend }: ComposerProps) {
  const { text, isNote, setText, setNote } = draft;
  const field = useRef<HTMLTextAreaElement>(null);
  const [insertion, setInsertion] = useState<Insertion | null>(null);
  const [confirmed, setConfirmed] = useState(false);
  const uploads = useUploads();
  const isEmpty = text.trim() === "" && uploads.done.length === 0;
  useTakenBack(conversation.id, (message) => {
    // What was written meanwhile stays.
    draft.restore([message.body, text].filter(Boolean).join("\n\n"), message.private);
    uploads.restore(message.files);
    field.current?.focus();
  });
  const mustConfirm = repliedMeanwhile !== null && !isNote && !confirmed;

  const send = (resolve: boolean) => {
    if (isEmpty || uploads.isBusy) return;
    if (mustConfirm) {
      setConfirmed(true);
      return;
    }
    onSend({ body: text.trim(), private: isNote, files: uploads.done }, { resolve });
    noteSent();
    draft.clear();
    uploads.clear();
    setConfirmed(false);
    setInsertion(null);
  };

  const onChange = (event: ChangeEvent<HTMLTextAreaElement>) => {
    const { value, selectionStart } = event.target;
    setText(value);
    noteTyping();
    setInsertion(insertionAt(value, selectionStart, { mentions: isNote }));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      send(event.shiftKey);
    } else if (event.key === "Escape" && !insertion) {
      event.preventDefault();
      field.current?.blur();
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    uploads.add(event.clipboardData.files);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    uploads.add(event.dataTransfer.files);
  };
  const insert = (inserted: string) => {
    if (!insertion) return;
    const before = text.slice(0, insertion.start) + inserted;
    setText(before + text.slice(insertion.end));
    setInsertion(null);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(before.length, before.length);
    });
  };

  return (
    <section
      aria-label="Write a message"
      className={cx(css.composer, isNote && css.note)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
      data-composer
    >
      {repliedMeanwhile !== null && !isNote && text.trim() !== "" && (
        <Notice tone="warning">
          {repliedMeanwhile} replied while you were writing.{" "}
          {confirmed ? "Send again to send your reply anyway." : "Read it before you send yours."}
        </Notice>
      )}
      <div className={css.tabs}>
        <div role="tablist" aria-label="Kind of message">
          <TabButton isOn={!isNote} onClick={() => setNote(false)}>
            Reply
          </TabButton>
          <TabButton isOn={isNote} onClick={() => setNote(true)}>
            Note
          </TabButton>
        </div>
        <span className={css.saved} role="status">
          {DRAFT_STATUS[draft.status]}
        </span>
      </div>
      <div className={css.fieldBox}>
        <textarea
          ref={field}
          id="composer-field"
          className={css.field}
          value={text}
          rows={2}
          dir="auto"
          aria-label={isNote ? "Note for colleagues" : "Reply to the contact"}
          placeholder={
            isNote
              ? "Write a note that only colleagues see. @ mentions a colleague."
              : "Write a reply. / inserts a saved reply."
          }
          onChange={onChange}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={draft.saveNow}
        />
        {insertion && (
          <InsertPicker
            insertion={insertion}
            conversation={conversation}
            field={field}
            onPick={insert}
            onClose={() => setInsertion(null)}
          />
        )}
      </div>
      {uploads.list.length > 0 && <UploadList uploads={uploads.list} onRemove={uploads.remove} />}
      <div className={css.foot}>
        <AttachButton onFiles={uploads.add} />
        <span className={css.hint}>Ctrl or ⌘ + Enter sends, with Shift it also resolves</span>
        <Button disabled={isEmpty || uploads.isBusy} onClick={() => send(true)}>
          {isNote ? "Add and resolve" : "Send and resolve"}
        </Button>
        <Button
          variant="primary"
          icon={<Send size={14} aria-hidden />}
          disabled={isEmpty || uploads.isBusy}
          onClick={() => send(false)}
        >
          {isNote ? "Add note" : mustConfirm && confirmed ? "Send anyway" : "Send"}
        </Button>
      </div>
    </section>
  );
}

const DRAFT_STATUS: Record<DraftState["status"], string> = {
  idle: "",
  saving: "Saving draft",
  saved: "Draft saved",
  failed: "Draft not saved",
};

const TabButton = ({ isOn, onClick, children }: { isOn: boolean; onClick: () => void; children: string }) => (
  <button type="button" role="tab" aria-selected={isOn} className={css.tab} onClick={onClick}>
    {children}
  </button>
);

function AttachButton({ onFiles }: { onFiles: (files: FileList) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          if (event.target.files) onFiles(event.target.files);
          event.target.value = "";
        }}
      />
      <IconButton
        label="Attach files"
        icon={<Paperclip size={16} aria-hidden />}
        onClick={() => input.current?.click()}
      />
    </>
  );
}
