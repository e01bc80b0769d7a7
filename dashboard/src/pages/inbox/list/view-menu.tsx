import type { Label } from "@parley/client";
import { ChevronDown, ListFilter, Tag } from "lucide-react";
import { useState } from "react";
import { useConversationCounts, useLabels } from "../../../api/conversations.ts";
import { useViewCounts, useViews, type View } from "../../../api/views.ts";
import { Menu, MenuChoices, MenuItem, MenuSeparator } from "../../../components/menu.tsx";
import { language } from "../../../lib/language.ts";
import { t } from "../../../lib/texts.ts";
import { AllLabels, ManageViews, ViewDialog } from "../lazy-parts.tsx";
import { countText } from "../view-counts.ts";
import { builtInView, type OpenView, queryOf, VIEWS } from "../views.ts";
import css from "./list.module.css";

export type Density = "comfortable" | "compact";

/** In the menu; the others are found by typing. */
const LABELS_SHOWN = 12;

const DENSITIES: readonly { value: Density; title: string }[] = [
  { value: "comfortable", title: t("Comfortable") },
  { value: "compact", title: t("Compact") },
];

interface ViewMenuProps {
  open: OpenView;
  density: Density;
  onDensity: (density: Density) => void;
  /** Shows the list with this query. */
  onGo: (query: string) => void;
}

export function ViewMenu({ open, density, onDensity, onGo }: ViewMenuProps) {
  const counts = useConversationCounts();
  const labels = useLabels().data ?? [];
  const saved = useSavedViews();
  const [dialog, setDialog] = useState<"labels" | "save" | "edit" | "manage" | null>(null);
  // The count is that of the whole view, and wrong for a part of it.
  const isWhole = open.label === "" && open.search === "";
  const count = !isWhole
    ? undefined
    : open.view.filter.view
      ? saved.find(({ value }) => value === open.view.name)?.detail
      : counts.data && builtInView(open.view.name).count(counts.data)?.toLocaleString(language);
  const close = () => setDialog(null);
  const showLabel = (label: string) => onGo(queryOf({ view: open.view.name, label }));
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button type="button" className={css.viewButton}>
            <span className={css.viewTitle}>{open.label ? `${open.view.title} · ${open.label}` : open.view.title}</span>
            {count !== undefined && <span className={css.count}>{count}</span>}
            <ChevronDown size={14} aria-hidden />
          </button>
        }
      >
        <MenuChoices
          label={t("Views")}
          value={open.view.name}
          options={VIEWS.map((view) => ({
            value: view.name,
            title: view.title,
            detail: counts.data && view.count(counts.data)?.toLocaleString(language),
          }))}
          onChange={(view) => onGo(queryOf({ view, label: open.label }))}
        />
        {saved.length > 0 && <MenuSeparator />}
        {saved.length > 0 && (
          <MenuChoices
            label={t("Saved views")}
            value={open.view.name}
            options={saved}
            onChange={(view) => onGo(queryOf({ view, label: open.label }))}
          />
        )}
        <MenuSeparator />
        <MenuItem onSelect={() => setDialog("save")}>{t("Save as a view…")}</MenuItem>
        {open.saved && <MenuItem onSelect={() => setDialog("edit")}>{t("Edit this view…")}</MenuItem>}
        {saved.length > 0 && <MenuItem onSelect={() => setDialog("manage")}>{t("Manage views…")}</MenuItem>}
        {labels.length > 0 && <MenuSeparator />}
        {labels.length > 0 && (
          <MenuChoices
            label={t("Labels")}
            value={open.label}
            options={labels.slice(0, LABELS_SHOWN).map(labelOption)}
            onChange={showLabel}
          />
        )}
        {labels.length > LABELS_SHOWN && (
          <MenuItem onSelect={() => setDialog("labels")}>
            {t("All {n} labels…", { n: labels.length.toLocaleString(language) })}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuChoices label={t("Rows")} value={density} options={DENSITIES} onChange={onDensity} />
      </Menu>
      {dialog === "labels" && <AllLabels labels={labels} onChoose={showLabel} onClose={close} />}
      {dialog === "save" && (
        <ViewDialog
          view={null}
          open={open}
          onSaved={({ id }: View) => onGo(queryOf({ view: String(id) }))}
          onClose={close}
        />
      )}
      {dialog === "edit" && <ViewDialog view={open.saved} open={open} onClose={close} />}
      {dialog === "manage" && <ManageViews open={open} onClose={close} />}
    </>
  );
}

const labelOption = ({ name, count }: Label) => ({
  value: name,
  title: name,
  icon: <Tag size={14} aria-hidden />,
  detail: count.toLocaleString(language),
});

function useSavedViews() {
  const views = useViews().data ?? [];
  const counts = useViewCounts({ enabled: views.length > 0 }).data;
  return views.map(({ id, name }) => ({
    value: String(id),
    title: name,
    icon: <ListFilter size={14} aria-hidden />,
    detail: countText(counts?.find((count) => count.id === id)?.count),
  }));
}
