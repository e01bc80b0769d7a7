import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { useDeleteWidget, useWidget, type Widget } from "../../api/widgets.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Card, Page } from "../../components/page.tsx";
import { ErrorState, SkeletonRows } from "../../components/states.tsx";
import { toast } from "../../components/toast.tsx";
import { t } from "../../lib/texts.ts";
import { IdentitySection } from "./identity-section.tsx";
import { InstallSection } from "./install-section.tsx";
import { WidgetForm } from "./widget-form.tsx";
import css from "./widgets.module.css";

const BACK = { href: "/settings/widgets", title: t("Widgets") };

export function WidgetPage({ id }: { id: string }) {
  const widget = useWidget(id);
  const [round, setRound] = useState(0);
  const [deleting, setDeleting] = useState(false);
  const reload = async () => {
    await widget.refetch();
    setRound((before) => before + 1);
  };
  if (!widget.data)
    return (
      <Page title={t("Widget")} back={BACK}>
        <Card>
          {widget.error ? (
            <ErrorState error={widget.error} onRetry={() => widget.refetch()} />
          ) : (
            <SkeletonRows rows={6} />
          )}
        </Card>
      </Page>
    );
  const { record } = widget.data;
  return (
    <Page
      title={record.name}
      badge={record.is_active ? <Badge tone="success">{t("Active")}</Badge> : <Badge>{t("Inactive")}</Badge>}
      back={BACK}
      actions={
        <Button icon={<Trash2 size={14} aria-hidden />} onClick={() => setDeleting(true)}>
          {t("Delete…")}
        </Button>
      }
    >
      <div className={css.form}>
        <InstallSection widget={record} />
        <WidgetForm key={round} loaded={widget.data} onReload={reload} />
        <IdentitySection widget={record} />
      </div>
      {deleting && <DeleteDialog widget={record} onClose={() => setDeleting(false)} />}
    </Page>
  );
}

function DeleteDialog({ widget, onClose }: { widget: Widget; onClose: () => void }) {
  const remove = useDeleteWidget(widget.id);
  const [, navigate] = useLocation();
  const done = () => {
    toast(t("{name} deleted.", { name: widget.name }));
    navigate("/settings/widgets");
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t("Delete {name}?", { name: widget.name })}
      confirm={t("Delete widget")}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: done })}
    >
      <p>{t("Pages no longer show it, and its visitors can neither read nor write. Its conversations stay.")}</p>
      {widget.is_active && <p>{t("To stop it for a while, make it inactive instead.")}</p>}
    </ConfirmDialog>
  );
}
