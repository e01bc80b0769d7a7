import { Paperclip, Send } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from "react";
import type { Conversation } from "../../../api/conversations.ts";
import type { Message } from "../../../api/messages.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Notice } from "../../../components/notice.tsx";
import { cx } from "../../../lib/cx.ts";
import { modifier } from "../../../lib/modifier.ts";
import { t } from "../../../lib/texts.ts";
import { InsertPicker, Recipients, UploadList } from "../lazy-parts.tsx";
import { RichText } from "../thread/message-text.tsx";
import { noteSent, noteTyping } from "../thread/use-presence.ts";
import css from "./composer.module.css";
import type { SentDraft } from "./draft-store.ts";
import { type Insertion, insertionAt } from "./insertion.ts";
import { type ComposedMessage, useTakenBack } from "./outbox.ts";
import { editedOf, useRecipients } from "./recipients-state.ts";
import tools from "./toolbar.module.css";
import { continueList, formatByKey, sendByKey, Toolbar } from "./toolbar.tsx";
import type { DraftState } from "./use-draft.ts";
import { useFileDrop } from "./use-file-drop.ts";
import { useUploads } from "./use-uploads.ts";

export interface ComposerProps {
  conversation: Conversation;
  draft: DraftState;
  field: RefObject<HTMLTextAreaElement | null>;
  /** Someone else replied since this text was begun. */
  repliedMeanwhile: Message | undefined;
  onSend: (
    message: Pick<ComposedMessage, "body" | "private" | "files" | "email">,
    options: { resolve: boolean; draft: SentDraft },
  ) => void;
}

export function Composer({ conversation, draft, field, repliedMeanwhile, onSend }: ComposerProps) {
  const { text, isNote, files } = draft;
  const insertion = useInsertion(field, draft);
  const uploads = useUploads(draft.addFile);
  const recipients = useRecipients(conversation.id);
  const isDropping = useFileDrop(uploads.add);
  // Of one reply: the next one has not been read yet.
  const [confirmedId, setConfirmedId] = useState<number | null>(null);
  const needsConfirmation = repliedMeanwhile !== undefined && !isNote;
  const isConfirmed = repliedMeanwhile?.id === confirmedId;
  // Of these files: another one that is refused is asked about again.
  const [sentWithout, setSentWithout] = useState("");
  const [isPreview, setPreview] = useState(false);
  const refused = uploads.refused.join(", ");
  const canSend = !uploads.isBusy && (text.trim() !== "" || files.length > 0);
  useTakenBack(conversation.id, (message) => {
    draft.restore({ text: message.body, isNote: message.private, files: message.files });
    if (message.email) recipients.set(editedOf(message.email));
    field.current?.focus();
  });

  const send = (options: { resolve: boolean }) => {
    if (!canSend) return;
    if (needsConfirmation && !isConfirmed) {
      setConfirmedId(repliedMeanwhile.id);
      return;
    }
    if (refused !== sentWithout) {
      setSentWithout(refused);
      return;
    }
    // The field is emptied first: sending may open another conversation.
    const sent = draft.handOver();
    const email = isNote ? {} : recipients.handOver();
    onSend({ body: text.trim(), private: isNote, files, ...email }, { ...options, draft: sent });
    noteSent();
    insertion.close();
    setPreview(false);
  };

  return (
    <section aria-label={t("Write a message")} className={cx(css.composer, isNote && css.note)} data-composer>
      {isDropping && <p className={css.drop}>{t("Drop the files to attach them")}</p>}
      <Warnings
        replied={needsConfirmation && text.trim() !== "" ? repliedMeanwhile : undefined}
        isConfirmed={isConfirmed}
        refused={refused === sentWithout ? refused : ""}
      />
      <KindTabs draft={draft}>
        <Toolbar field={field} isPreview={isPreview} onPreview={setPreview} onSend={send} />
      </KindTabs>
      {!isNote && conversation.mailbox_id !== null && (
        <Recipients conversation={conversation.id} value={recipients.value} onChange={recipients.set} />
      )}
      <FieldBox
        conversation={conversation}
        isPreview={isPreview}
        field={field}
        draft={draft}
        insertion={insertion}
        onFiles={uploads.add}
        onSend={send}
      />
      {files.length + uploads.list.length > 0 && (
        <UploadList files={files} uploads={uploads.list} onRemove={uploads.remove} onRemoveFile={draft.removeFile} />
      )}
      <Foot
        isNote={isNote}
        canSend={canSend}
        isConfirmed={needsConfirmation && isConfirmed}
        onFiles={uploads.add}
        onSend={send}
      />
    </section>
  );
}

interface FieldBoxProps extends Omit<MessageFieldProps, "isHidden"> {
  conversation: Conversation;
  isPreview: boolean;
}

/** The field, or what becomes of its text; above it what can be inserted. */
const FieldBox = ({ conversation, isPreview, ...rest }: FieldBoxProps) => (
  <div>
    {isPreview && <Preview text={rest.draft.text} />}
    <MessageField isHidden={isPreview} {...rest} />
    {rest.insertion.current && (
      <InsertPicker
        insertion={rest.insertion.current}
        conversation={conversation}
        field={rest.field}
        onPick={rest.insertion.pick}
        onClose={rest.insertion.close}
      />
    )}
  </div>
);

interface FootProps extends Pick<MessageFieldProps, "onFiles" | "onSend"> {
  isNote: boolean;
  canSend: boolean;
  isConfirmed: boolean;
}

const Foot = ({ isNote, canSend, isConfirmed, onFiles, onSend }: FootProps) => (
  <div className={css.foot}>
    <AttachButton onFiles={onFiles} />
    <span className={css.hint}>
      {t("{modifier} + Enter sends, with Shift it also resolves", { modifier: modifier() })}
    </span>
    <Button disabled={!canSend} onClick={() => onSend({ resolve: true })}>
      {isNote ? t("Add and resolve") : t("Send and resolve")}
    </Button>
    <Button
      variant="primary"
      icon={<Send size={14} aria-hidden />}
      disabled={!canSend}
      onClick={() => onSend({ resolve: false })}
    >
      {isNote ? t("Add note") : isConfirmed ? t("Send anyway") : t("Send")}
    </Button>
  </div>
);

interface WarningsProps {
  replied: Message | undefined;
  isConfirmed: boolean;
  /** The files that were refused. */
  refused: string;
}

const Warnings = ({ replied, isConfirmed, refused }: WarningsProps) => (
  <>
    {replied && (
      <Notice tone="warning">
        {t("{name} replied while you were writing.", { name: replied.sender.name ?? t("Someone") })}{" "}
        {isConfirmed ? t("Send again to send your reply anyway.") : t("Read it before you send yours.")}
      </Notice>
    )}
    {refused !== "" && (
      <Notice tone="warning">{t("Not attached: {refused}. Send again to send without it.", { refused })}</Notice>
    )}
  </>
);

/** The saved reply or mention that is being looked for at the cursor. */
function useInsertion(field: RefObject<HTMLTextAreaElement | null>, { text, isNote, setText }: DraftState) {
  const [current, setCurrent] = useState<Insertion | null>(null);
  return {
    current,
    look: (value: string, cursor: number) => setCurrent(insertionAt(value, cursor, { mentions: isNote })),
    close: () => setCurrent(null),
    pick: (inserted: string) => {
      if (!current) return;
      const before = text.slice(0, current.start) + inserted;
      setText(before + text.slice(current.end));
      setCurrent(null);
      requestAnimationFrame(() => {
        field.current?.focus();
        field.current?.setSelectionRange(before.length, before.length);
      });
    },
  };
}

interface MessageFieldProps {
  /** Its place is taken by the preview. */
  isHidden: boolean;
  field: RefObject<HTMLTextAreaElement | null>;
  draft: DraftState;
  insertion: ReturnType<typeof useInsertion>;
  onFiles: (files: FileList) => void;
  onSend: (options: { resolve: boolean }) => void;
}

function MessageField({ isHidden, field, draft, insertion, onFiles, onSend }: MessageFieldProps) {
  const { text, isNote, setText } = draft;
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (sendByKey(event, onSend)) return;
    if ((event.metaKey || event.ctrlKey) && !event.altKey && formatByKey(event.currentTarget, event.key)) {
      event.preventDefault();
    } else if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      if (continueList(event.currentTarget)) event.preventDefault();
    } else if (event.key === "Escape" && !insertion.current) {
      event.preventDefault();
      field.current?.blur();
    }
  };
  return (
    <textarea
      ref={field}
      id="composer-field"
      hidden={isHidden}
      className={css.field}
      value={text}
      rows={2}
      dir="auto"
      aria-label={isNote ? t("Note for colleagues") : t("Reply to the contact")}
      placeholder={
        isNote
          ? t("Write a note that only colleagues see. @ mentions a colleague.")
          : t("Write a reply. / inserts a saved reply.")
      }
      onChange={({ target: { value, selectionStart } }) => {
        setText(value);
        noteTyping();
        insertion.look(value, selectionStart);
      }}
      onKeyDown={onKeyDown}
      onPaste={(event) => {
        const { files } = event.clipboardData;
        const pasted = event.clipboardData.getData("text");
        // Spreadsheets add a picture to the text. Of a file, the text is only its name or path.
        if (files.length === 0 || (pasted && ![...files].some(({ name }) => pasted.includes(name)))) return;
        event.preventDefault();
        onFiles(files);
      }}
      onFocus={draft.refresh}
      onBlur={draft.saveNow}
    />
  );
}

const DRAFT_STATUS: Record<DraftState["status"], string> = {
  idle: "",
  saving: t("Saving draft"),
  saved: t("Draft saved"),
  failed: t("Draft not saved"),
};

const Preview = ({ text }: { text: string }) => (
  <section className={tools.preview} aria-label={t("Preview")}>
    {text.trim() === "" ? t("Nothing to preview yet.") : <RichText text={text.trim()} />}
  </section>
);

interface KindTabsProps {
  draft: DraftState;
  children: ReactNode;
}

const KindTabs = ({ draft: { isNote, setNote, status }, children }: KindTabsProps) => (
  <div className={css.tabs}>
    <div role="tablist" aria-label={t("Kind of message")}>
      <TabButton isOn={!isNote} onClick={() => setNote(false)}>
        {t("Reply")}
      </TabButton>
      <TabButton isOn={isNote} onClick={() => setNote(true)}>
        {t("Note")}
      </TabButton>
    </div>
    <span className={css.saved} role="status" data-status={status}>
      {DRAFT_STATUS[status]}
    </span>
    {children}
  </div>
);

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
        label={t("Attach files")}
        icon={<Paperclip size={16} aria-hidden />}
        onClick={() => input.current?.click()}
      />
    </>
  );
}
