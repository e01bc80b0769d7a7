import { useState } from "react";
import { beyondFields } from "../../../api/client.ts";
import { type Message, useEditMessage } from "../../../api/messages.ts";
import { Dialog, SubmitFooter } from "../../../components/dialog.tsx";
import { Field, Textarea } from "../../../components/field.tsx";
import { Notice } from "../../../components/notice.tsx";
import { t } from "../../../lib/texts.ts";
import { useDialogGuard } from "../../../lib/unsaved-guard.tsx";

/** Changes the text of a message of one's own. */
export function EditMessageDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const [body, setBody] = useState(message.body);
  const edit = useEditMessage(message);
  const isChanged = body.trim() !== message.body.trim();
  const { leave, cancel } = useDialogGuard(isChanged, onClose);
  const submit = () => {
    if (isChanged) edit.mutate(body.trim(), { onSuccess: onClose });
    else onClose();
  };
  const general = edit.error && beyondFields(edit.error, ["body"]);
  return (
    <Dialog
      open
      wide
      onClose={cancel}
      title={message.private ? t("Edit note") : t("Edit message")}
      onSubmit={submit}
      footer={
        <SubmitFooter onCancel={cancel} busy={edit.isPending}>
          {t("Save")}
        </SubmitFooter>
      }
    >
      {leave}
      <Field label={t("Text")} error={edit.error?.details.body}>
        {(control) => (
          <Textarea
            {...control}
            ref={putCursorAtEnd}
            rows={8}
            dir="auto"
            value={body}
            onChange={(event) => setBody(event.target.value)}
          />
        )}
      </Field>
      {general && <Notice tone="danger">{general}</Notice>}
    </Dialog>
  );
}

const putCursorAtEnd = (field: HTMLTextAreaElement | null) =>
  field?.setSelectionRange(field.value.length, field.value.length);
