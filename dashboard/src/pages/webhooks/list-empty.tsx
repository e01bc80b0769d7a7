import { BellRing, MousePointerClick, ShieldCheck, Webhook } from "lucide-react";
import type { ReactNode } from "react";
import { Card } from "../../components/page.tsx";
import { EmptyState } from "../../components/states.tsx";
import { t } from "../../lib/texts.ts";
import css from "./list.module.css";

const STEPS = [
  {
    icon: MousePointerClick,
    title: t("Choose a URL and events"),
    text: t(
      "Any https address of yours, and the events it should receive: all, a group such as message.*, or single ones.",
    ),
  },
  {
    icon: ShieldCheck,
    title: t("Verify the signature"),
    text: t(
      "Each delivery is signed with a secret that only you and Parley know. The code that verifies it is ready to copy.",
    ),
  },
  {
    icon: BellRing,
    title: t("Respond with 2xx, watch it here"),
    text: t("Everything else is retried on a schedule. Every attempt is in the log, and nothing is lost meanwhile."),
  },
];

/** Before the first webhook: what it is, in three steps. */
export const ListEmpty = ({ action }: { action: ReactNode }) => (
  <Card>
    <EmptyState icon={<Webhook size={20} />} title={t("Get notified when something happens")} actions={action}>
      {t(
        "A webhook sends events to your server within moments: a message came in, a conversation was resolved, a contact changed.",
      )}
    </EmptyState>
    <ol className={css.steps}>
      {STEPS.map(({ icon: Icon, title, text }) => (
        <li key={title}>
          <Icon size={16} aria-hidden />
          <h3>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  </Card>
);
