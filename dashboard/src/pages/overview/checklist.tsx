import { Circle, CircleCheck } from "lucide-react";
import { Link } from "wouter";
import type { FirstSteps } from "../../api/dashboard-schema.ts";
import { useHideFirstSteps } from "../../api/first-steps.ts";
import { Button } from "../../components/button.tsx";
import { Section } from "../../components/page.tsx";
import { toast } from "../../components/toast.tsx";
import { t } from "../../lib/texts.ts";
import css from "./overview.module.css";

interface Step {
  name: Exclude<keyof FirstSteps, "hidden">;
  title: string;
  /** What to do, for the one whose turn it is. */
  sentence: string;
  links: readonly { href: string; title: string }[];
}

/** In the order in which a team gets to work. */
const STEPS: readonly Step[] = [
  {
    name: "invited",
    title: t("Invite a colleague"),
    sentence: t(
      "Everyone who replies to customers needs an account. An invitation is a link, sent by e-mail or copied.",
    ),
    links: [{ href: "/settings/members", title: t("Invite a colleague") }],
  },
  {
    name: "connected",
    title: t("Connect a chat or a mailbox"),
    sentence: t("A chat is one line on your page. A mailbox turns the mail of an address into conversations."),
    links: [{ href: "/settings/widgets", title: t("Create a widget") }],
  },
  {
    name: "received",
    title: t("Receive the first message"),
    sentence: t("Write to yourself as a customer would: in the chat on your page, by mail, or through the API."),
    links: [{ href: "/inbox", title: t("Open the inbox") }],
  },
  {
    name: "replied",
    title: t("Send the first reply"),
    sentence: t("Open the conversation, write, and send. The customer gets it where they wrote."),
    links: [{ href: "/inbox", title: t("Reply in the inbox") }],
  },
  {
    name: "webhook",
    title: t("Send events to your first webhook"),
    sentence: t("Your own software learns of every message at once. A test is enough to see one arrive."),
    links: [{ href: "/settings/webhooks/new", title: t("Create a webhook") }],
  },
];

/** Leads a new team step by step. Gone once every step has happened, or a manager has hidden it. */
export function Checklist({ steps }: { steps: FirstSteps }) {
  const hide = useHideFirstSteps();
  const next = STEPS.find(({ name }) => !steps[name]);
  if (!next || steps.hidden) return null;
  const dismiss = () =>
    hide.mutate(true, {
      onSuccess: () => {
        // The button goes with the list.
        document.getElementById("main")?.focus({ preventScroll: true });
        toast(t("First steps hidden."), { action: { label: t("Undo"), run: () => hide.mutate(false) } });
      },
      onError: ({ message }) => toast(message, { failed: true }),
    });
  const done = STEPS.filter(({ name }) => steps[name]).length;
  return (
    <Section
      title={t("First steps")}
      description={t("{done} of {n} done. Each is checked by what has happened.", { done, n: STEPS.length })}
      actions={
        <Button busy={hide.isPending} onClick={dismiss}>
          {t("Hide")}
        </Button>
      }
    >
      <ol className={css.steps}>
        {STEPS.map((step) => (
          <StepLine key={step.name} step={step} done={steps[step.name]} isNext={step === next} />
        ))}
      </ol>
    </Section>
  );
}

function StepLine({ step, done, isNext }: { step: Step; done: boolean; isNext: boolean }) {
  const { title, sentence, links } = step;
  return (
    <li data-done={done || undefined} aria-current={isNext ? "step" : undefined}>
      {done ? <CircleCheck size={16} aria-hidden /> : <Circle size={16} aria-hidden />}
      <div>
        {done ? (
          <span>
            {title} <span className="visually-hidden">{t("(done)")}</span>
          </span>
        ) : isNext ? (
          <strong>{title}</strong>
        ) : (
          <Link href={links[0]?.href ?? "/"}>{title}</Link>
        )}
        {isNext && (
          <p>
            {sentence}{" "}
            {links.map((link) => (
              <Link key={link.href} href={link.href}>
                {link.title}
              </Link>
            ))}
          </p>
        )}
      </div>
    </li>
  );
}
