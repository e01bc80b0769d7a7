import { t } from "../../lib/texts.ts";
import "../../components/preload-dialogs.ts";
import { MessageSquareText, Pencil, Plus, SearchX, Trash2 } from "lucide-react";
import { useState } from "react";
import { type SavedReply, useDeleteSavedReply, useSavedReplies } from "../../api/saved-replies.ts";
import { Chip } from "../../components/badge.tsx";
import { Button, IconButton } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { SearchInput } from "../../components/field.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Card, Page, Toolbar } from "../../components/page.tsx";
import { EmptyState, SkeletonRows } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toast.tsx";
import css from "./saved-replies.module.css";
import { SavedReplyDialog } from "./saved-reply-dialog.tsx";

/** Texts that agents insert with `/` in the inbox. */
export function SavedRepliesPage() {
  const replies = useSavedReplies();
  const [search, setSearch] = useState("");
  const [editing, setEditing] = useState<SavedReply | "new" | null>(null);
  const [deleting, setDeleting] = useState<SavedReply | null>(null);
  const words = search.trim().toLowerCase();
  const matches = ({ name, shortcut, body }: SavedReply) =>
    [name, shortcut ?? "", body].some((text) => text.toLowerCase().includes(words));
  return (
    <Page
      title={t("Saved replies")}
      description={t("Insert them in the inbox with / and a word of their name, shortcut or text.")}
      actions={
        <Button variant="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setEditing("new")}>
          {t("New saved reply")}
        </Button>
      }
    >
      <Card>
        {replies.data && replies.data.length > 0 && (
          <Toolbar>
            <SearchInput
              label={t("Search saved replies")}
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
          </Toolbar>
        )}
        <Loaded query={replies} skeleton={<SkeletonRows rows={4} />}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState
                icon={<MessageSquareText size={20} />}
                title={t("No saved replies yet")}
                actions={
                  <Button variant="primary" onClick={() => setEditing("new")}>
                    {t("New saved reply")}
                  </Button>
                }
              >
                {t(
                  "Save the answers that your team writes every day. Variables such as {{contact.name}} are filled in.",
                )}
              </EmptyState>
            ) : !list.some(matches) ? (
              <EmptyState
                icon={<SearchX size={20} />}
                title={t("No saved reply matches")}
                actions={<Button onClick={() => setSearch("")}>{t("Clear the search")}</Button>}
              >
                {t("No name, shortcut or text contains “{search}”.", { search })}
              </EmptyState>
            ) : (
              <Table label={t("Saved replies")} columns={[t("Name"), t("Shortcut"), t("Text"), t("Changed"), ""]}>
                {list.filter(matches).map((reply) => (
                  <tr key={reply.id}>
                    <td>{reply.name}</td>
                    <td data-label={t("Shortcut")}>{reply.shortcut && <Chip>/{reply.shortcut}</Chip>}</td>
                    <td data-label={t("Text")} className={css.text}>
                      {reply.body}
                    </td>
                    <td data-label={t("Changed")} className={css.quiet}>
                      <Time at={reply.updated_at} />
                    </td>
                    <td data-corner>
                      <IconButton
                        size="small"
                        label={t("Edit {name}", { name: reply.name })}
                        icon={<Pencil size={14} aria-hidden />}
                        onClick={() => setEditing(reply)}
                      />
                      <IconButton
                        size="small"
                        label={t("Delete {name}", { name: reply.name })}
                        icon={<Trash2 size={14} aria-hidden />}
                        onClick={() => setDeleting(reply)}
                      />
                    </td>
                  </tr>
                ))}
              </Table>
            )
          }
        </Loaded>
      </Card>
      {editing && <SavedReplyDialog reply={editing === "new" ? null : editing} onClose={() => setEditing(null)} />}
      {deleting && <DeleteDialog reply={deleting} onClose={() => setDeleting(null)} />}
    </Page>
  );
}

function DeleteDialog({ reply, onClose }: { reply: SavedReply; onClose: () => void }) {
  const remove = useDeleteSavedReply();
  const confirm = () =>
    remove.mutate(reply.id, {
      onSuccess: () => {
        toast(t("Deleted {name}", { name: reply.name }));
        onClose();
      },
    });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={confirm}
      title={t("Delete “{name}”?", { name: reply.name })}
      confirm={t("Delete saved reply")}
      busy={remove.isPending}
      error={remove.error}
    >
      {t("Messages that were written with it stay as they are.")}
    </ConfirmDialog>
  );
}
