import { type FormEvent, useEffect, useRef, useState } from "react";
import { beyondFields } from "../api/client.ts";
import { useSession, useUpdateProfile } from "../api/session.ts";
import { Button } from "../components/button.tsx";
import { Field, Input, Select } from "../components/field.tsx";
import { Notice } from "../components/notice.tsx";
import { Page, Section } from "../components/page.tsx";
import { toast } from "../components/toast.tsx";
import { followLanguage, LANGUAGES, type Language } from "../lib/language.ts";
import { t } from "../lib/texts.ts";
import { useUnsavedGuard } from "../lib/unsaved-guard.tsx";
import css from "./forms.module.css";
import { NotificationsSection } from "./notifications-section.tsx";

export function ProfilePage() {
  const { has_password } = useSession();
  const description = has_password
    ? t("Your name, language and password, in every workspace.")
    : t("Your name and language, in every workspace.");
  return (
    <Page title={t("Profile")} description={description} narrow>
      <NameSection />
      <LanguageSection />
      <NotificationsSection />
      {has_password && <PasswordSection />}
    </Page>
  );
}

function NameSection() {
  const { user } = useSession();
  const [edited, setEdited] = useState<string | null>(null);
  const name = edited ?? user.name;
  const leave = useUnsavedGuard(name !== user.name);
  const save = useUpdateProfile();
  const done = () => {
    toast(t("Name changed."));
    setEdited(null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ name }, { onSuccess: done });
  };
  return (
    <Section title={t("Name")} description={user.email}>
      <form className={css.row} noValidate onSubmit={submit}>
        {leave}
        <Field label={t("Your name")} error={save.error && (save.error.details.name ?? save.error.message)}>
          {(control) => (
            <Input {...control} autoComplete="name" value={name} onChange={(event) => setEdited(event.target.value)} />
          )}
        </Field>
        <Button type="submit" variant="primary" busy={save.isPending} disabled={name === user.name}>
          {t("Save")}
        </Button>
      </form>
    </Section>
  );
}

const CHOSEN_HERE = { focus: "language" };

/** Chosen once, in every browser. The page is loaded again in it, and the focus comes back. */
function LanguageSection() {
  const { language: chosen } = useSession();
  const save = useUpdateProfile();
  const choose = (tag: string) =>
    save.mutate(
      { language: tag as "" | Language },
      {
        onSuccess: (session) =>
          followLanguage(session.language, () => history.replaceState({ ...history.state, ...CHOSEN_HERE }, "")),
      },
    );
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { focus, ...rest } = { focus: null, ...history.state };
    if (focus !== CHOSEN_HERE.focus) return;
    history.replaceState(rest, "");
    field.current?.querySelector("select")?.focus();
  }, []);
  return (
    <Section
      title={t("Language")}
      description={t("Of this dashboard and of e-mails to you. Messages to your customers stay as they are written.")}
    >
      <div ref={field}>
        <Field label={t("Language of the dashboard")} error={save.error?.message}>
          {(control) => (
            <Select {...control} value={chosen ?? ""} onChange={(event) => choose(event.target.value)}>
              <option value="">{t("As the browser says")}</option>
              {Object.entries(LANGUAGES).map(([tag, name]) => (
                <option key={tag} value={tag} lang={tag}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </Section>
  );
}

function PasswordSection() {
  const { user } = useSession();
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const leave = useUnsavedGuard(password !== "");
  const save = useUpdateProfile();
  const done = () => {
    toast(t("Password changed."));
    setCurrent("");
    setPassword("");
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ password, current_password: current }, { onSuccess: done });
  };
  const details = save.error?.details ?? {};
  const general = save.error && beyondFields(save.error, ["current_password", "password"]);
  return (
    <Section title={t("Password")} description={t("Changing it signs you out of every other browser.")}>
      <form className={css.form} noValidate onSubmit={submit}>
        {leave}
        <input type="hidden" name="email" autoComplete="username" value={user.email} />
        <Field label={t("Current password")} error={details.current_password}>
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
        <Field label={t("New password")} hint={t("At least 10 characters.")} error={details.password}>
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
        {general && <Notice tone="danger">{general}</Notice>}
        <div className={css.end}>
          <Button type="submit" variant="primary" busy={save.isPending}>
            {t("Change password")}
          </Button>
        </div>
      </form>
    </Section>
  );
}
