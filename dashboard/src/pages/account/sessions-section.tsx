import { LogOut } from "lucide-react";
import { type SessionEntry, useEndSession, useSessions } from "../../api/account.ts";
import { useSession } from "../../api/session.ts";
import { Badge } from "../../components/badge.tsx";
import { IconButton } from "../../components/button.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Section } from "../../components/page.tsx";
import { SkeletonRows } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toast.tsx";
import css from "./account.module.css";
import { browserName } from "./browser-name.ts";

const METHODS: Record<SessionEntry["method"], string> = {
  password: "Password",
  passkey: "Passkey",
  sso: "Single sign-on",
};

export function SessionsSection() {
  const { has_password } = useSession();
  const sessions = useSessions();
  const end = useEndSession();
  const signOut = (entry: SessionEntry) =>
    end.mutate(entry.id, {
      onSuccess: () => toast("Signed out."),
      onError: (error) => toast(error.message, { failed: true }),
    });
  return (
    <Section
      title="Where you are signed in"
      description={
        has_password
          ? "Sign out what you do not recognise, then change your password."
          : "Sign out what you do not recognise."
      }
      flush
    >
      <Loaded query={sessions} skeleton={<SkeletonRows rows={2} />}>
        {(list) => (
          <Table label="Sessions" columns={["Browser", "Address", "Signed in", "Last seen", ""]}>
            {list.map((entry) => (
              <tr key={entry.id}>
                <td>
                  <span className={css.name} title={entry.user_agent ?? undefined}>
                    {browserName(entry.user_agent)} {entry.current && <Badge>This browser</Badge>}
                  </span>
                  <span className={css.detail}>{METHODS[entry.method]}</span>
                </td>
                <td data-label="Address" className={css.quiet}>
                  {entry.ip ?? "–"}
                </td>
                <td data-label="Signed in" className={css.quiet}>
                  <Time at={entry.created_at} />
                </td>
                <td data-label="Last seen" className={css.quiet}>
                  <Time at={entry.last_seen_at} />
                </td>
                <td data-corner className={css.end}>
                  {!entry.current && (
                    <IconButton
                      label={`Sign out ${browserName(entry.user_agent)}`}
                      icon={<LogOut size={16} aria-hidden />}
                      disabled={end.isPending}
                      onClick={() => signOut(entry)}
                    />
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Loaded>
    </Section>
  );
}
