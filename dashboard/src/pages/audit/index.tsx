import { Download, ScrollText } from "lucide-react";
import { useId } from "react";
import { useAuditExport, useAuditLogs } from "../../api/audit-logs.ts";
import { useAssignable } from "../../api/conversations.ts";
import { Button } from "../../components/button.tsx";
import { Input, Select } from "../../components/field.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Card, Page, Toolbar } from "../../components/page.tsx";
import { EmptyState, SkeletonRows } from "../../components/states.tsx";
import { toast } from "../../components/toast.tsx";
import { t } from "../../lib/texts.ts";
import { useSearchState } from "../../lib/use-search-state.ts";
import { ACTION_TITLES } from "./action-titles.ts";
import css from "./audit.module.css";
import { AuditTable } from "./audit-table.tsx";

const FILTERS = ["action", "actor_id", "from", "to", "page"] as const;

/** Who did what in this workspace, and from where. */
export function AuditPage() {
  const [values, change] = useSearchState(FILTERS);
  const filters = {
    action: values.action,
    actor_id: values.actor_id,
    created_after: dayStart(values.from, 0),
    created_before: dayStart(values.to, 1),
  };
  const page = Math.max(1, Number(values.page) || 1);
  const logs = useAuditLogs(filters, page);
  const members = useAssignable();
  const names = new Map(members.data?.map(({ id, name }) => [id, name]));
  const save = useAuditExport();
  const saveAs = (format: "csv" | "json") =>
    save.mutate({ format, filters }, { onError: (error) => toast(error.message, { failed: true }) });
  return (
    <Page
      title={t("Audit log")}
      description={t("Who did what in this workspace, and from where. Entries cannot be changed.")}
      actions={(["csv", "json"] as const).map((format) => (
        <Button
          key={format}
          icon={<Download size={16} aria-hidden />}
          busy={save.isPending && save.variables.format === format}
          onClick={() => saveAs(format)}
        >
          {format.toUpperCase()}
        </Button>
      ))}
    >
      <Card>
        <AuditFilters values={values} onChange={(changed) => change({ ...changed, page: "" })} />
        <Loaded query={logs} skeleton={<SkeletonRows rows={8} />}>
          {({ data, links }) =>
            data.length === 0 ? (
              <EmptyState icon={<ScrollText size={20} />} title={t("No entries")}>
                <p>{t("Nothing matches these filters.")}</p>
              </EmptyState>
            ) : (
              <>
                <AuditTable entries={data} names={names} />
                <nav className={css.pages} aria-label={t("Pages")}>
                  <Button disabled={page <= 1} onClick={() => change({ page: page <= 2 ? "" : String(page - 1) })}>
                    {t("Newer")}
                  </Button>
                  <Button disabled={links.next === null} onClick={() => change({ page: String(page + 1) })}>
                    {t("Older")}
                  </Button>
                </nav>
              </>
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}

interface AuditFiltersProps {
  values: Record<(typeof FILTERS)[number], string>;
  onChange: (change: Partial<Record<(typeof FILTERS)[number], string>>) => void;
}

function AuditFilters({ values, onChange }: AuditFiltersProps) {
  const members = useAssignable();
  return (
    <Toolbar label={t("Filter the audit log")}>
      <Select
        aria-label={t("Action")}
        value={values.action}
        onChange={(event) => onChange({ action: event.target.value })}
      >
        <option value="">{t("Any action")}</option>
        {Object.entries(ACTION_TITLES).map(([action, title]) => (
          <option key={action} value={action}>
            {title}
          </option>
        ))}
      </Select>
      <Select
        aria-label={t("Member")}
        value={values.actor_id}
        onChange={(event) => onChange({ actor_id: event.target.value })}
      >
        <option value="">{t("Anybody")}</option>
        {(members.data ?? []).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <div className={css.days}>
        <Day label={t("From")} value={values.from} onChange={(from) => onChange({ from })} />
        <Day label={t("To")} value={values.to} onChange={(to) => onChange({ to })} />
      </div>
    </Toolbar>
  );
}

function Day({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) {
  const id = useId();
  return (
    <span className={css.day}>
      <label htmlFor={id}>{label}</label>
      <Input id={id} type="date" value={value} onChange={(event) => onChange(event.target.value)} />
    </span>
  );
}

/** The beginning of a day in the reader's zone, `later` days on. */
function dayStart(day: string, later: number): string {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const at = new Date(year, month - 1, date + later);
  return day === "" || Number.isNaN(at.getTime()) ? "" : at.toISOString();
}
