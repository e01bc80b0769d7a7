import { useState } from "react";
import { beyondFields } from "../../api/client.ts";
import {
  type CreateSavedReplyBody,
  REPLY_VARIABLES,
  type SavedReply,
  useChangeSavedReply,
  useCreateSavedReply,
  useReloadSavedReplies,
} from "../../api/saved-replies.ts";
import { Conflict } from "../../components/conflict.tsx";
import { Dialog, SubmitFooter } from "../../components/dialog.tsx";
import { Field, Input, Textarea } from "../../components/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { toast } from "../../components/toast.tsx";
import { t } from "../../lib/texts.ts";
import { useDialogGuard } from "../../lib/unsaved-guard.tsx";
import css from "./saved-replies.module.css";

interface SavedReplyDialogProps {
  reply: SavedReply | null;
  onClose: () => void;
}

/** Creates a saved reply, or changes one; only what was changed is sent. */
export function SavedReplyDialog({ reply, onClose }: SavedReplyDialogProps) {
  const reload = useReloadSavedReplies();
  const [input, setInput] = useState<Required<CreateSavedReplyBody>>({
    name: reply?.name ?? "",
    shortcut: reply?.shortcut ?? "",
    body: reply?.body ?? "",
  });
  const create = useCreateSavedReply();
  const change = useChangeSavedReply();
  const { error, isPending } = reply ? change : create;
  const set = (patch: Partial<CreateSavedReplyBody>) => setInput((before) => ({ ...before, ...patch }));
  const done = {
    onSuccess: () => {
      toast(reply ? t("Saved") : t("Created {name}", { name: input.name }));
      onClose();
    },
  };
  const changed = Object.entries(input).filter(
    ([field, value]) => (reply?.[field as keyof CreateSavedReplyBody] ?? "") !== value,
  );
  const { leave, cancel } = useDialogGuard(changed.length > 0, onClose);
  const submit = () => {
    if (!reply) return create.mutate(input, done);
    if (changed.length === 0) return onClose();
    change.mutate({ base: reply, change: Object.fromEntries(changed) }, done);
  };
  const general = error && beyondFields(error, ["name", "shortcut", "body"]);
  return (
    <Dialog
      open
      onClose={cancel}
      title={reply ? t("Edit saved reply") : t("New saved reply")}
      onSubmit={submit}
      footer={
        <SubmitFooter onCancel={cancel} busy={isPending}>
          {reply ? t("Save") : t("Create")}
        </SubmitFooter>
      }
    >
      <div className={css.form}>
        {leave}
        <Field label={t("Name")} error={error?.details.name}>
          {(control) => (
            <Input
              {...control}
              value={input.name}
              maxLength={255}
              onChange={(event) => set({ name: event.target.value })}
            />
          )}
        </Field>
        <Field label={t("Shortcut")} optional hint={t("Typed after / in the inbox.")} error={error?.details.shortcut}>
          {(control) => (
            <Input
              {...control}
              mono
              value={input.shortcut}
              maxLength={64}
              onChange={(event) => set({ shortcut: event.target.value })}
            />
          )}
        </Field>
        <Field
          label={t("Text")}
          hint={t("Variables: {names}", { names: REPLY_VARIABLES.map((name) => `{{${name}}}`).join(", ") })}
          error={error?.details.body}
        >
          {(control) => (
            <Textarea
              {...control}
              rows={7}
              value={input.body}
              onChange={(event) => set({ body: event.target.value })}
            />
          )}
        </Field>
        {error?.status === 412 ? (
          <Conflict what={t("saved reply")} onReload={() => void reload().then(onClose)} />
        ) : (
          general && <Notice tone="danger">{general}</Notice>
        )}
      </div>
    </Dialog>
  );
}
