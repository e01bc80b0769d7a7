import { X } from "lucide-react";
import { type Invitation, ROLES, useRevokeInvitation } from "../../api/members.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toast.tsx";
import { t } from "../../lib/texts.ts";
import css from "./members.module.css";

export function InvitationsTable({ invitations }: { invitations: readonly Invitation[] }) {
  const revoke = useRevokeInvitation();
  const end = ({ id, email }: Invitation) =>
    revoke.mutate(id, {
      onSuccess: () => toast(t("The invitation of {email} no longer works.", { email })),
      onError: (error) => toast(error.message, { failed: true }),
    });
  return (
    <Table
      label={t("Invitations")}
      columns={[
        t("E-mail"),
        t("Role"),
        t("Invited by"),
        t("Expires"),
        <span key="a" className="visually-hidden">
          {t("Actions")}
        </span>,
      ]}
    >
      {invitations.map((invitation) => (
        <tr key={invitation.id}>
          <td>{invitation.email}</td>
          <td data-label={t("Role")}>{ROLES[invitation.role].title}</td>
          <td data-label={t("Invited by")} className={css.quiet}>
            {invitation.invited_by?.name ?? t("The server")}
          </td>
          <td data-label={t("Expires")} className={css.quiet}>
            {invitation.expired ? <Badge>{t("Expired")}</Badge> : <Time at={invitation.expires_at} />}
          </td>
          <td className={css.end} data-corner>
            <Button
              variant="ghost"
              size="small"
              icon={<X size={14} aria-hidden />}
              aria-label={t("Revoke the invitation of {email}", { email: invitation.email })}
              onClick={() => end(invitation)}
            >
              {t("Revoke")}
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  );
}
