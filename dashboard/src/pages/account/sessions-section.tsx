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
import { t } from "../../lib/texts.ts";
import css from "./account.module.css";
import { browserName } from "./browser-name.ts";

const METHODS: Record<SessionEntry["method"], string> = {
  password: t("Password"),
  passkey: t("Passkey"),
  sso: t("Single sign-on"),
};

export function SessionsSection() {
  const { has_password } = useSession();
  const sessions = useSessions();
  const end = useEndSession();
  const signOut = (entry: SessionEntry) =>
    end.mutate(entry.id, {
      onSuccess: () => toast(t("Signed out.")),
      onError: (error) => toast(error.message, { failed: true }),
    });
  return (
    <Section
      title={t("Where you are signed in")}
      description={
        has_password
          ? t("Sign out what you do not recognise, then change your password.")
          : t("Sign out what you do not recognise.")
      }
      flush
    >
      <Loaded query={sessions} skeleton={<SkeletonRows rows={2} />}>
        {(list) => (
          <Table label={t("Sessions")} columns={[t("Browser"), t("Address"), t("Signed in"), t("Last seen"), ""]}>
            {list.map((entry) => (
              <tr key={entry.id}>
                <td>
                  <span className={css.name} title={entry.user_agent ?? undefined}>
                    {browserName(entry.user_agent)} {entry.current && <Badge>{t("This browser")}</Badge>}
                  </span>
                  <span className={css.detail}>{METHODS[entry.method]}</span>
                </td>
                <td data-label={t("Address")} className={css.quiet}>
                  {entry.ip ?? "–"}
                </td>
                <td data-label={t("Signed in")} className={css.quiet}>
                  <Time at={entry.created_at} />
                </td>
                <td data-label={t("Last seen")} className={css.quiet}>
                  <Time at={entry.last_seen_at} />
                </td>
                <td data-corner className={css.end}>
                  {!entry.current && (
                    <IconButton
                      label={t("Sign out {user_agent}", { user_agent: browserName(entry.user_agent) })}
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
