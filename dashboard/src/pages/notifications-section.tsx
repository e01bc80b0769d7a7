import { type FormEvent, useEffect, useState } from "react";
import {
  type NotificationSettings,
  useBrowserChange,
  useChangeNotifications,
  useNotificationSettings,
  useTestPush,
} from "../api/notifications.ts";
import { useSession } from "../api/session.ts";
import { Button } from "../components/button.tsx";
import { Check, Field, Input } from "../components/field.tsx";
import { Notice } from "../components/notice.tsx";
import { Section } from "../components/page.tsx";
import { ErrorState, Skeleton } from "../components/states.tsx";
import { toast } from "../components/toast.tsx";
import { t } from "../lib/texts.ts";
import { type BrowserState, browserState, removeBrowser, turnOff, turnOn } from "../notify/browser.ts";
import { browserName } from "./account/browser-name.ts";
import css from "./forms.module.css";

/** What calls this person, where and when. */
export function NotificationsSection() {
  const settings = useNotificationSettings();
  const { workspace } = useSession();
  return (
    <Section
      title={t("Notifications")}
      description={t(
        "What calls you in {name}. One per conversation until you have read it, and none for what you write.",
        { name: workspace.name },
      )}
    >
      {settings.data ? (
        <div className={css.form}>
          <ThisBrowser settings={settings.data} />
          <Choices settings={settings.data} />
          <QuietHours settings={settings.data} />
          <Browsers settings={settings.data} />
        </div>
      ) : settings.error ? (
        <ErrorState error={settings.error} onRetry={() => settings.refetch()} />
      ) : (
        <Skeleton height={320} />
      )}
    </Section>
  );
}

const SENTENCES: Record<BrowserState, string> = {
  unsupported: t(
    "This browser cannot show notifications here. They need an address that begins with https, and on an iPhone or iPad the app on the home screen.",
  ),
  blocked: t(
    "Notifications of this page are blocked in the browser. Allow them in its settings for this site, next to the address, then load the page again.",
  ),
  "not-asked": t("This browser has not been asked yet whether it may show notifications."),
  off: t("This browser may show notifications, and they are off."),
  "while-open": t(
    "This browser shows notifications while Parley is open in a tab. Its push service could not be reached, so nothing comes when the tab is closed.",
  ),
  on: t("This browser shows notifications, also while Parley is closed."),
};

function ThisBrowser({ settings }: { settings: NotificationSettings }) {
  const { user } = useSession();
  const state = useBrowserState(user.id);
  const own = settings.browsers.find(({ current }) => current);
  const on = useBrowserChange(() => turnOn(user.id, settings.push_key));
  const off = useBrowserChange(() => turnOff(user.id, own?.id ?? null));
  const test = useTestPush();
  const problem = on.error ?? off.error ?? test.error;
  const isOn = state === "on" || state === "while-open";
  return (
    <>
      <p role="status">{SENTENCES[state]}</p>
      <div className={css.buttons}>
        {state === "while-open" && (
          <Button variant="primary" busy={on.isPending} onClick={() => on.mutate()}>
            {t("Try again")}
          </Button>
        )}
        {/* One button, so that it keeps the focus. */}
        {(isOn || state === "not-asked" || state === "off") && (
          <Button
            key="switch"
            variant={isOn ? "secondary" : "primary"}
            busy={isOn ? off.isPending : on.isPending}
            onClick={() => (isOn ? off.mutate() : on.mutate())}
          >
            {isOn ? t("Turn off in this browser") : t("Turn on in this browser")}
          </Button>
        )}
        {state === "on" && (
          <Button busy={test.isPending} onClick={() => test.mutate()}>
            {t("Send a test")}
          </Button>
        )}
      </div>
      {problem && <Notice tone="danger">{problem.message}</Notice>}
      {test.data && !test.data.sent && (
        <Notice tone="danger">{t("The test could not be sent: {error}", { error: test.data.error ?? "" })}</Notice>
      )}
      {state === "on" && test.data?.sent && <Notice tone="success">{t("The test was sent.")}</Notice>}
    </>
  );
}

/** The permission may be changed next to the address while the page is open. */
function useBrowserState(userId: number): BrowserState {
  const [, again] = useState(0);
  useEffect(() => {
    const look = () => again((times) => times + 1);
    let status: PermissionStatus | null = null;
    navigator.permissions
      ?.query({ name: "notifications" })
      .then((found) => {
        status = found;
        found.addEventListener("change", look);
      })
      .catch(() => {});
    window.addEventListener("focus", look);
    return () => {
      status?.removeEventListener("change", look);
      window.removeEventListener("focus", look);
    };
  }, []);
  return browserState(userId);
}

const CHOICES = [
  ["assigned", t("Conversations that are mine"), t("Whatever others write in a conversation that is assigned to you.")],
  ["unassigned", t("Conversations that nobody has"), t("When a customer writes and nobody is assigned.")],
  ["mentions", t("Mentions"), t("A note that mentions you, and what follows in that conversation.")],
  ["sound", t("Sound"), t("In one tab, while Parley is open.")],
] as const;

function Choices({ settings }: { settings: NotificationSettings }) {
  const change = useChangeNotifications();
  const mail = ["mention_mail", t("E-mail about mentions"), t("If you have not been here for ten minutes.")] as const;
  return (
    <>
      {[...CHOICES, ...(settings.email_available ? [mail] : [])].map(([name, title, hint]) => (
        <Check
          key={name}
          title={title}
          hint={hint}
          checked={settings[name]}
          onChange={({ target }) => change.mutate({ [name]: target.checked }, { onSuccess: () => toast(t("Saved.")) })}
        />
      ))}
      {change.error && <Notice tone="danger">{change.error.message}</Notice>}
    </>
  );
}

const NIGHT = { from: "22:00", to: "07:00" };

function QuietHours({ settings: { quiet_hours: stored } }: { settings: NotificationSettings }) {
  const change = useChangeNotifications();
  const [edited, setEdited] = useState<typeof NIGHT | null>(null);
  const { from, to } = edited ?? stored ?? NIGHT;
  const time_zone = stored?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const save = (quiet_hours: NotificationSettings["quiet_hours"]) =>
    change.mutate(
      { quiet_hours },
      {
        onSuccess: () => {
          setEdited(null);
          toast(t("Saved."));
        },
      },
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save({ from, to, time_zone });
  };
  return (
    <>
      <Check
        title={t("Quiet hours")}
        hint={t("No notification and no sound at this time of the day.")}
        checked={stored !== null}
        onChange={({ target }) => save(target.checked ? { from, to, time_zone } : null)}
      />
      {stored && (
        <form className={css.buttons} noValidate onSubmit={submit}>
          <Field label={t("From")}>
            {(control) => (
              <Input
                {...control}
                type="time"
                value={from}
                onChange={({ target }) => setEdited({ from: target.value, to })}
              />
            )}
          </Field>
          <Field label={t("To")} hint={time_zone}>
            {(control) => (
              <Input
                {...control}
                type="time"
                value={to}
                onChange={({ target }) => setEdited({ from, to: target.value })}
              />
            )}
          </Field>
          {edited && (
            <Button type="submit" busy={change.isPending}>
              {t("Save quiet hours")}
            </Button>
          )}
        </form>
      )}
      {change.error && <Notice tone="danger">{change.error.message}</Notice>}
    </>
  );
}

/** Those of the person, in every workspace: a lost phone can be taken off here. */
function Browsers({ settings }: { settings: NotificationSettings }) {
  const others = settings.browsers.filter(({ current }) => !current);
  if (others.length === 0) return null;
  return (
    <ul aria-label={t("Other browsers that get notifications")} className={css.form}>
      {others.map(({ id, user_agent }) => (
        <OtherBrowser key={id} id={id} name={browserName(user_agent)} />
      ))}
    </ul>
  );
}

function OtherBrowser({ id, name }: { id: string; name: string }) {
  const remove = useBrowserChange(() => removeBrowser(id));
  return (
    <li className={css.buttons}>
      <span>{t("Notifications also come to {name}.", { name })}</span>
      <Button busy={remove.isPending} onClick={() => remove.mutate()}>
        {t("Send none to {name}", { name })}
      </Button>
    </li>
  );
}
