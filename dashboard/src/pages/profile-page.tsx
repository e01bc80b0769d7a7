import { type FormEvent, useState } from "react";
import { useSession, useUpdateProfile } from "../api/session.ts";
import { Button } from "../components/button.tsx";
import { Field, Input } from "../components/field.tsx";
import { Notice } from "../components/notice.tsx";
import { Page, Section } from "../components/page.tsx";
import { toast } from "../components/toast.tsx";
import css from "./forms.module.css";

export const ProfilePage = () => (
  <Page title="Profile" description="Your name and password, in every workspace." narrow>
    <NameSection />
    <PasswordSection />
  </Page>
);

function NameSection() {
  const { user } = useSession();
  const [name, setName] = useState(user.name);
  const save = useUpdateProfile();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ name }, { onSuccess: () => toast("Name changed.") });
  };
  return (
    <Section title="Name" description={user.email}>
      <form className={css.row} noValidate onSubmit={submit}>
        <Field label="Your name" error={save.error && (save.error.details.name ?? save.error.message)}>
          {(control) => (
            <Input {...control} autoComplete="name" value={name} onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
        <Button type="submit" variant="primary" busy={save.isPending} disabled={name === user.name}>
          Save
        </Button>
      </form>
    </Section>
  );
}

function PasswordSection() {
  const { user } = useSession();
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const save = useUpdateProfile();
  const done = () => {
    toast("Password changed.");
    setCurrent("");
    setPassword("");
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ password, current_password: current }, { onSuccess: done });
  };
  const details = save.error?.details ?? {};
  return (
    <Section title="Password" description="Changing it signs you out of every other browser.">
      <form className={css.form} noValidate onSubmit={submit}>
        <input type="hidden" name="email" autoComplete="username" value={user.email} />
        <Field label="Current password" error={details.current_password}>
          {(control) => (
            <Input
              {...control}
              type="password"
              autoComplete="current-password"
              value={current}
              onChange={(event) => setCurrent(event.target.value)}
            />
          )}
        </Field>
        <Field label="New password" hint="At least 10 characters." error={details.password}>
          {(control) => (
            <Input
              {...control}
              type="password"
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        {save.error && Object.keys(details).length === 0 && <Notice tone="danger">{save.error.message}</Notice>}
        <div className={css.end}>
          <Button type="submit" variant="primary" busy={save.isPending}>
            Change password
          </Button>
        </div>
      </form>
    </Section>
  );
}
