import { Circle, CircleCheck } from "lucide-react";
import { Link } from "wouter";
import { useApiKeys } from "../../api/api-keys.ts";
import { useConversationCounts } from "../../api/conversations.ts";
import { useInvitations, useMembers } from "../../api/members.ts";
import { useHealthList, useWebhooks } from "../../api/webhooks.ts";
import { Section } from "../../components/page.tsx";
import css from "./overview.module.css";

/** The first steps. It goes once all of them are done, and is not shown before that is known. */
export function Checklist() {
  const keys = useApiKeys().data;
  const webhooks = useWebhooks("").data;
  const health = useHealthList().data;
  const counts = useConversationCounts().data;
  const members = useMembers().data;
  const invitations = useInvitations().data;
  if (!keys || !webhooks || !health || !counts || !members || !invitations) return null;
  const conversations = Object.values(counts.by_status).reduce((sum, count) => sum + count, 0);
  const steps = [
    { title: "Create an API key", href: "/settings/api-keys/new", done: keys.length > 0 },
    { title: "Create a webhook", href: "/settings/webhooks/new", done: webhooks.length > 0 },
    {
      title: "Send a test delivery",
      href: webhooks[0] ? `/settings/webhooks/${webhooks[0].id}` : "/settings/webhooks",
      done: health.some(({ attempts }) => attempts > 0),
    },
    { title: "Start the first conversation", href: "/inbox", done: conversations > 0 },
    { title: "Invite a member", href: "/settings/members", done: members.length + invitations.length > 1 },
  ];
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
