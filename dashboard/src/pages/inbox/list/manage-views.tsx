import { ArrowDown, ArrowUp, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useDeleteView, useOrderViews, useViews, type View } from "../../../api/views.ts";
import { Badge } from "../../../components/badge.tsx";
import { IconButton } from "../../../components/button.tsx";
import { ConfirmDialog, Dialog } from "../../../components/dialog.tsx";
import { Notice } from "../../../components/notice.tsx";
import { toast } from "../../../components/toast.tsx";
import { t } from "../../../lib/texts.ts";
import type { OpenView } from "../views.ts";
import css from "./list.module.css";
import { ViewDialog } from "./view-dialog.tsx";

/** The saved views in their order, which can be changed here. */
export function ManageViews({ open, onClose }: { open: OpenView; onClose: () => void }) {
  const views = useViews().data ?? [];
  const order = useOrderViews();
  const [editing, setEditing] = useState<View | null>(null);
  const [deleting, setDeleting] = useState<View | null>(null);
  const move = (index: number, by: 1 | -1) => {
    const ordered = [...views];
    const [moved] = ordered.splice(index, 1);
    if (moved) ordered.splice(index + by, 0, moved);
    order.mutate(ordered);
  };
  if (editing) return <ViewDialog view={editing} open={open} onClose={() => setEditing(null)} />;
  if (deleting) return <DeleteView view={deleting} onClose={() => setDeleting(null)} />;
  return (
    <Dialog open onClose={onClose} title={t("Views")} description={t("In the order in which the sidebar shows them.")}>
      {views.length === 0 && <p>{t("No view is saved.")}</p>}
      <ol className={css.viewRows}>
        {views.map((view, index) => (
          <li key={view.id}>
            <span className={css.viewName}>{view.name}</span>
            {view.shared && <Badge tone="neutral">{t("Shared")}</Badge>}
            <IconButton
              size="small"
              label={t("Move {name} up", { name: view.name })}
              icon={<ArrowUp size={14} aria-hidden />}
              disabled={index === 0 || order.isPending}
              onClick={() => move(index, -1)}
            />
            <IconButton
              size="small"
              label={t("Move {name} down", { name: view.name })}
              icon={<ArrowDown size={14} aria-hidden />}
              disabled={index === views.length - 1 || order.isPending}
              onClick={() => move(index, 1)}
            />
            <IconButton
              size="small"
              label={t("Edit {name}", { name: view.name })}
              icon={<Pencil size={14} aria-hidden />}
              onClick={() => setEditing(view)}
            />
            <IconButton
              size="small"
              label={t("Delete {name}", { name: view.name })}
              icon={<Trash2 size={14} aria-hidden />}
              onClick={() => setDeleting(view)}
            />
          </li>
        ))}
      </ol>
      {order.error && <Notice tone="danger">{order.error.message}</Notice>}
    </Dialog>
  );
}

function DeleteView({ view, onClose }: { view: View; onClose: () => void }) {
  const remove = useDeleteView();
  return (
    <ConfirmDialog
      open
      title={t("Delete {name}?", { name: view.name })}
      confirm={t("Delete view")}
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(view.id, {
          onSuccess: () => {
            toast(t("Deleted the view {name}", { name: view.name }));
            onClose();
          },
        })
      }
    >
      {view.shared && <>{t("It disappears for everyone in this workspace.")} </>}
      {t("Its conversations stay.")}
    </ConfirmDialog>
  );
}
