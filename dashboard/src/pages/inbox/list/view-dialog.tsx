import { type ReactNode, useState } from "react";
import { beyondFields } from "../../../api/client.ts";
import { useAssignable, useLabels } from "../../../api/conversations.ts";
import { useSession } from "../../../api/session.ts";
import { useChangeView, useCreateView, type View, type ViewFilters } from "../../../api/views.ts";
import { Dialog, SubmitFooter } from "../../../components/dialog.tsx";
import { Check, Field, Input, Select } from "../../../components/field.tsx";
import { Notice } from "../../../components/notice.tsx";
import { toast } from "../../../components/toast.tsx";
import { closeForm, useUnsavedGuard } from "../../../lib/unsaved-guard.tsx";
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
      toast(view ? "Saved" : `Saved the view ${saved.name}`);
      onClose();
      onSaved?.(saved);
    },
  };
  const leave = useUnsavedGuard(isTouched);
  const cancel = () => closeForm(onClose);
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
      title={view ? "Edit view" : "Save as a view"}
      onSubmit={submit}
      footer={
        <SubmitFooter onCancel={cancel} busy={isPending}>
          Save
        </SubmitFooter>
      }
    >
      <div className={css.viewForm}>
        {leave}
        <Field label="Name" error={error?.details.name}>
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
          label="Order"
          value={sort}
          options={[
            ["last_activity", "Latest message first"],
            ["created", "Newest conversation first"],
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
      title="Share with everyone in this workspace"
      hint={isOwn ? "Everyone can see, change and delete it." : `It belongs to ${view?.owner.name ?? "an API key"}.`}
      checked={shared}
      disabled={!isOwn}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

const ANY: readonly [string, string] = ["", "Any"];
const CHANNELS = [ANY, ["api", "API"], ["widget", "Widget"], ["email", "E-mail"]] as const;
const PRIORITIES = [
  ANY,
  ["urgent", "Urgent"],
  ["high", "High"],
  ["medium", "Medium"],
  ["low", "Low"],
  ["none", "None"],
] as const;
const STATUSES = [
  ANY,
  ["open", "Open"],
  ["pending", "Pending"],
  ["open,pending", "Open or pending"],
  ["snoozed", "Snoozed"],
  ["resolved", "Resolved"],
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
  const assignees = [ANY, ["me", "The reader"], ["none", "Nobody"], ...members] as [string, string][];
  return (
    <>
      <div className={css.viewFilters}>
        <Choice
          label="Status"
          value={fields.status}
          options={withOwn(STATUSES, fields.status)}
          onChange={(status) => set({ status })}
        />
        <Choice
          label="Assignee"
          value={fields.assignee_id}
          options={withOwn(assignees, fields.assignee_id)}
          onChange={(assignee_id) => set({ assignee_id })}
        />
        <Choice
          label="Priority"
          value={fields.priority}
          options={PRIORITIES}
          onChange={(priority) => set({ priority })}
        />
        <Choice label="Channel" value={fields.channel} options={CHANNELS} onChange={(channel) => set({ channel })} />
        <Choice
          label="Label"
          value={fields.label}
          options={withOwn([ANY, ...labels.map(({ name }): [string, string] => [name, name])], fields.label)}
          onChange={(label) => set({ label })}
        />
        <Field label="Words" optional>
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
        title="Only those who wait for a reply"
        checked={fields.waiting}
        onChange={(event) => set({ waiting: event.target.checked })}
      />
      <Check
        title="Only those with unread messages"
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
