import { Circle, CircleCheck } from "lucide-react";
import { Link } from "wouter";
import { useApiKeys } from "../../api/api-keys.ts";
import { useConversationCounts } from "../../api/conversations.ts";
import { useInvitations, useMembers } from "../../api/members.ts";
import { useHealthList, useWebhooks } from "../../api/webhooks.ts";
import { Section } from "../../components/page.tsx";
import css from "./overview.module.css";

interface Step {
  title: string;
  href: string;
  done: boolean;
}

/** The first steps; null when they cannot be read, undefined while they load. */
export function useFirstSteps(): Step[] | null | undefined {
  const [keyList, webhookList, healthList] = [useApiKeys(), useWebhooks(""), useHealthList()];
  const [countList, memberList, invitationList] = [useConversationCounts(), useMembers(), useInvitations()];
  const [keys, webhooks, health] = [keyList.data, webhookList.data, healthList.data];
  const [counts, members, invitations] = [countList.data, memberList.data, invitationList.data];
  if (!keys || !webhooks || !health || !counts || !members || !invitations)
    return [keyList, webhookList, healthList, countList, memberList, invitationList].some(({ isPending }) => isPending)
      ? undefined
      : null;
  const conversations = Object.values(counts.by_status).reduce((sum, count) => sum + count, 0);
  return [
    { title: "Create an API key", href: "/settings/api-keys/new", done: keys.length > 0 },
    { title: "Create a webhook", href: "/settings/webhooks/new", done: webhooks.length > 0 },
    {
      title: "Send a test delivery",
      href: webhooks[0] ? `/settings/webhooks/${webhooks[0].id}` : "/settings/webhooks",
      done: health.some(({ attempts }) => attempts > 0),
    },
    { title: "Start the first conversation", href: "/inbox", done: conversations > 0 },
    { title: "Invite a member", href: "/settings/members", done: members.data.length + invitations.length > 1 },
  ];
}

/** Hidden once every step is done. */
export function Checklist({ steps }: { steps: Step[] }) {
  if (steps.every(({ done }) => done)) return null;
  return (
    <Section title="First steps">
      <ol className={css.steps}>
        {steps.map(({ title, href, done }) => (
          <li key={title} data-done={done || undefined}>
            {done ? <CircleCheck size={16} aria-hidden /> : <Circle size={16} aria-hidden />}
            {done ? (
              <span>
                {title} <span className="visually-hidden">(done)</span>
              </span>
            ) : (
              <Link href={href}>{title}</Link>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
