import { type ReactNode, useState } from "react";
import { beyondFields } from "../../../api/client.ts";
import { useAssignable, useLabels } from "../../../api/conversations.ts";
import { useSession } from "../../../api/session.ts";
import { useChangeView, useCreateView, type View, type ViewFilters } from "../../../api/views.ts";
import { Dialog, SubmitFooter } from "../../../components/dialog.tsx";
import { Check, Field, Input, Select } from "../../../components/field.tsx";
import { Notice } from "../../../components/notice.tsx";
import { toast } from "../../../components/toast.tsx";
import { t } from "../../../lib/texts.ts";
import { useDialogGuard } from "../../../lib/unsaved-guard.tsx";
import type { OpenView } from "../views.ts";
import css from "./list.module.css";
import { type FilterFields, fieldsOf, filtersOf, listFilters } from "./view-fields.ts";

interface ViewDialogProps {
  /** Null: a new one, which begins with the list that is open. */
  view: View | null;
  open: OpenView;
  onSaved?: (view: View) => void;
  onClose: () => void;
}

export function ViewDialog({ view, open, onSaved, onClose }: ViewDialogProps) {
  const initial = view?.filters ?? { ...open.saved?.filters, ...listFilters(open) };
  const [name, setName] = useState(view?.name ?? "");
  const [shared, setShared] = useState(view?.shared ?? false);
  const [sort, setSort] = useState(view?.sort ?? "last_activity");
  const [fields, setFields] = useState(() => fieldsOf(initial as ViewFilters));
  const [isTouched, setTouched] = useState(false);
  const create = useCreateView();
  const change = useChangeView();
  const { error, isPending } = view ? change : create;
  const touch = (act: () => void) => {
    setTouched(true);
    act();
  };
  const done = {
    onSuccess: (saved: View) => {
      toast(view ? t("Saved") : t("Saved the view {name}", { name: saved.name }));
      onClose();
      onSaved?.(saved);
    },
  };
  const { leave, cancel } = useDialogGuard(isTouched, onClose);
  const submit = () => {
    const input = { name, shared, sort, filters: filtersOf(fields, initial as ViewFilters) };
    if (view) change.mutate({ base: view, change: input }, done);
    else create.mutate(input, done);
  };
  const general = error && beyondFields(error, ["name"]);
  return (
    <Dialog
      open
      onClose={cancel}
      title={view ? t("Edit view") : t("Save as a view")}
      onSubmit={submit}
      footer={
        <SubmitFooter onCancel={cancel} busy={isPending}>
          {t("Save")}
        </SubmitFooter>
      }
    >
      <div className={css.viewForm}>
        {leave}
        <Field label={t("Name")} error={error?.details.name}>
          {(control) => (
            <Input
              {...control}
              value={name}
              maxLength={255}
              onChange={(event) => touch(() => setName(event.target.value))}
            />
          )}
        </Field>
        <FilterInputs fields={fields} onChange={(next) => touch(() => setFields(next))} />
        <Choice
          label={t("Order")}
          value={sort}
          options={[
            ["last_activity", t("Latest message first")],
            ["created", t("Newest conversation first")],
          ]}
          onChange={(value) => touch(() => setSort(value as View["sort"]))}
        />
        <SharedCheck view={view} shared={shared} onChange={(next) => touch(() => setShared(next))} />
        {general && <Notice tone="danger">{general}</Notice>}
      </div>
    </Dialog>
  );
}

interface SharedCheckProps {
  view: View | null;
  shared: boolean;
  onChange: (shared: boolean) => void;
}

/** Only its owner makes a shared view private again. */
function SharedCheck({ view, shared, onChange }: SharedCheckProps) {
  const { user } = useSession();
  const isOwn = !view || (view.owner.type === "user" && view.owner.id === user.id);
  return (
    <Check
      title={t("Share with everyone in this workspace")}
      hint={
        isOwn
          ? t("Everyone can see, change and delete it.")
          : t("It belongs to {name}.", { name: view?.owner.name ?? t("an API key") })
      }
      checked={shared}
      disabled={!isOwn}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

const ANY: readonly [string, string] = ["", t("Any")];
const CHANNELS = [ANY, ["api", "API"], ["widget", t("Chat")], ["email", t("E-mail")]] as const;
const PRIORITIES = [
  ANY,
  ["urgent", t("Urgent")],
  ["high", t("High")],
  ["medium", t("Medium")],
  ["low", t("Low")],
  ["none", t("None")],
] as const;
const STATUSES = [
  ANY,
  ["open", t("Open")],
  ["pending", t("Pending")],
  ["open,pending", t("Open or pending")],
  ["snoozed", t("Snoozed")],
  ["resolved", t("Resolved")],
] as const;

interface FilterInputsProps {
  fields: FilterFields;
  onChange: (fields: FilterFields) => void;
}

function FilterInputs({ fields, onChange }: FilterInputsProps) {
  const people = useAssignable().data ?? [];
  const labels = useLabels().data ?? [];
  const set = (patch: Partial<FilterFields>) => onChange({ ...fields, ...patch });
  const members = people.map(({ id, name }): [string, string] => [String(id), name]);
  const assignees = [ANY, ["me", t("The reader")], ["none", t("Nobody")], ...members] as [string, string][];
  return (
    <>
      <div className={css.viewFilters}>
        <Choice
          label={t("Status")}
          value={fields.status}
          options={withOwn(STATUSES, fields.status)}
          onChange={(status) => set({ status })}
        />
        <Choice
          label={t("Assignee")}
          value={fields.assignee_id}
          options={withOwn(assignees, fields.assignee_id)}
          onChange={(assignee_id) => set({ assignee_id })}
        />
        <Choice
          label={t("Priority")}
          value={fields.priority}
          options={PRIORITIES}
          onChange={(priority) => set({ priority })}
        />
        <Choice
          label={t("Channel")}
          value={fields.channel}
          options={CHANNELS}
          onChange={(channel) => set({ channel })}
        />
        <Choice
          label={t("Label")}
          value={fields.label}
          options={withOwn([ANY, ...labels.map(({ name }): [string, string] => [name, name])], fields.label)}
          onChange={(label) => set({ label })}
        />
        <Field label={t("Words")} optional>
          {(control) => (
            <Input
              {...control}
              value={fields.text}
              maxLength={200}
              onChange={(event) => set({ text: event.target.value })}
            />
          )}
        </Field>
      </div>
      <Check
        title={t("Only those who wait for a reply")}
        checked={fields.waiting}
        onChange={(event) => set({ waiting: event.target.checked })}
      />
      <Check
        title={t("Only those with unread messages")}
        checked={fields.unread}
        onChange={(event) => set({ unread: event.target.checked })}
      />
    </>
  );
}

type Options = readonly (readonly [value: string, title: string])[];

/** With the value that it has, if it is none of them: it came from the API. */
const withOwn = (options: Options, value: string): Options =>
  options.some(([known]) => known === value) ? options : [...options, [value, value]];

interface ChoiceProps {
  label: ReactNode;
  value: string;
  options: Options;
  onChange: (value: string) => void;
}

const Choice = ({ label, value, options, onChange }: ChoiceProps) => (
  <Field label={label}>
    {(control) => (
      <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([key, title]) => (
          <option key={key} value={key}>
            {title}
          </option>
        ))}
      </Select>
    )}
  </Field>
);
