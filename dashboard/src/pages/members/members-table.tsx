import { UserMinus } from "lucide-react";
import { useState } from "react";
import { type Member, ROLES, useChangeRole, useRemoveMember } from "../../api/members.ts";
import { type Role, useSession } from "../../api/session.ts";
import { Badge } from "../../components/badge.tsx";
import { IconButton } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Check, Select } from "../../components/field.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toast.tsx";
import css from "./members.module.css";

export function MembersTable({ members }: { members: readonly Member[] }) {
  const [leaving, setLeaving] = useState<Member | null>(null);
  const [revoking, setRevoking] = useState(false);
  const remove = useRemoveMember();
  return (
    <>
      <Table
        label="Members"
        columns={[
          "Person",
          "Role",
          "Last seen",
          "Joined",
          <span key="a" className="visually-hidden">
            Actions
          </span>,
        ]}
      >
        {members.map((member) => (
          <MemberRow
            key={member.id}
            member={member}
            onRemove={() => {
              setRevoking(false);
              setLeaving(member);
            }}
          />
        ))}
      </Table>
      <ConfirmDialog
        open={leaving !== null}
        onClose={() => {
          setLeaving(null);
          remove.reset();
        }}
        onConfirm={() =>
          leaving &&
          remove.mutate(
            { id: leaving.id, revokeKeys: revoking && leaving.active_keys > 0 },
            {
              onSuccess: () => {
                toast(`${leaving.name} is no longer a member.`);
                setLeaving(null);
              },
            },
          )
        }
        busy={remove.isPending}
        error={remove.error}
        title={`Remove ${leaving?.name ?? ""}?`}
        confirm="Remove member"
      >
        <p>
          They lose access to this workspace at once, also where they are signed in now, and their open invitations end.
          Their conversations stay.
        </p>
        {leaving !== null && leaving.active_keys > 0 && (
          <Check
            title={
              leaving.active_keys === 1
                ? "Also revoke the API key they created"
                : `Also revoke the ${leaving.active_keys} API keys they created`
            }
            hint="Whatever uses them stops working. Keep them if your apps depend on them."
            checked={revoking}
            onChange={(event) => setRevoking(event.target.checked)}
          />
        )}
      </ConfirmDialog>
    </>
  );
}

function MemberRow({ member, onRemove }: { member: Member; onRemove: () => void }) {
  const { user, role: mine } = useSession();
  const change = useChangeRole();
  // Only an owner changes or appoints owners; the server enforces the same rule.
  const may = mine === "owner" || member.role !== "owner";
  const roles = (Object.keys(ROLES) as Role[]).filter((role) => mine === "owner" || role !== "owner");
  const [wanted, setWanted] = useState<Role | null>(null);
  const close = () => {
    setWanted(null);
    change.reset();
  };
  const confirm = () =>
    wanted &&
    change.mutate(
      { id: member.id, role: wanted },
      {
        onSuccess: () => {
          toast(`${member.name} is now an ${wanted}.`);
          close();
        },
      },
    );
  return (
    <tr>
      <td>
        <span className={css.person}>
          {member.name} {member.id === user.id && <Badge>You</Badge>}
        </span>
        <span className={css.email}>{member.email}</span>
      </td>
      <td data-label="Role">
        {may ? (
          <div className={css.role}>
            <Select
              aria-label={`Role of ${member.name}`}
              value={member.role}
              onChange={(event) => setWanted(event.target.value as Role)}
            >
              {roles.map((role) => (
                <option key={role} value={role}>
                  {ROLES[role].title}
                </option>
              ))}
            </Select>
          </div>
        ) : (
          ROLES[member.role].title
        )}
      </td>
      <td data-label="Last seen" className={css.quiet}>
        {member.last_seen_at ? <Time at={member.last_seen_at} /> : "Never"}
      </td>
      <td data-label="Joined" className={css.quiet}>
        <Time at={member.created_at} form="day" />
      </td>
      <td className={css.end} data-corner>
        {may && (
          <IconButton label={`Remove ${member.name}`} icon={<UserMinus size={16} aria-hidden />} onClick={onRemove} />
        )}
        <ConfirmDialog
          open={wanted !== null}
          onClose={close}
          onConfirm={confirm}
          busy={change.isPending}
          error={change.error}
          title={`Make ${member.name} an ${wanted ?? member.role}?`}
          confirm="Change role"
          variant="primary"
        >
          <p>{wanted && ROLES[wanted].sentence}</p>
          <p>
            {member.id === user.id ? "You are" : `${member.name} is`} an {member.role} now. The change is effective at
            once.
          </p>
        </ConfirmDialog>
      </td>
    </tr>
  );
}
