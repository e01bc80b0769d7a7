import { X } from "lucide-react";
import { type Invitation, ROLES, useRevokeInvitation } from "../../api/members.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toast.tsx";
import css from "./members.module.css";

export function InvitationsTable({ invitations }: { invitations: readonly Invitation[] }) {
  const revoke = useRevokeInvitation();
  const end = ({ id, email }: Invitation) =>
    revoke.mutate(id, {
      onSuccess: () => toast(`The invitation of ${email} no longer works.`),
      onError: (error) => toast(error.message, { failed: true }),
    });
  return (
    <Table
      label="Invitations"
      columns={[
        "E-mail",
        "Role",
        "Invited by",
        "Expires",
        <span key="a" className="visually-hidden">
          Actions
        </span>,
      ]}
    >
      {invitations.map((invitation) => (
        <tr key={invitation.id}>
          <td>{invitation.email}</td>
          <td data-label="Role">{ROLES[invitation.role].title}</td>
          <td data-label="Invited by" className={css.quiet}>
            {invitation.invited_by?.name ?? "The server"}
          </td>
          <td data-label="Expires" className={css.quiet}>
            {invitation.expired ? <Badge>Expired</Badge> : <Time at={invitation.expires_at} />}
          </td>
          <td className={css.end} data-corner>
            <Button
              variant="ghost"
              size="small"
              icon={<X size={14} aria-hidden />}
              aria-label={`Revoke the invitation of ${invitation.email}`}
              onClick={() => end(invitation)}
            >
              Revoke
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  );
}
