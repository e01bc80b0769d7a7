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
import { inSentence, plural, t } from "../../lib/texts.ts";
import css from "./members.module.css";

export function MembersTable({ members }: { members: readonly Member[] }) {
  const [leaving, setLeaving] = useState<Member | null>(null);
  const [revoking, setRevoking] = useState(false);
  const remove = useRemoveMember();
  return (
    <>
      <Table
        label={t("Members")}
        columns={[
          t("Person"),
          t("Role"),
          t("Last seen"),
          t("Joined"),
          <span key="a" className="visually-hidden">
            {t("Actions")}
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
                toast(t("{name} is no longer a member.", { name: leaving.name }));
                setLeaving(null);
              },
            },
          )
        }
        busy={remove.isPending}
        error={remove.error}
        title={t("Remove {name}?", { name: leaving?.name ?? "" })}
        confirm={t("Remove member")}
      >
        <p>
          {t(
            "They lose access to this workspace at once, also where they are signed in now, and their open invitations end. Their conversations stay and are assigned to nobody.",
          )}
        </p>
        {leaving !== null && leaving.active_keys > 0 && (
          <Check
            title={plural(
              leaving.active_keys,
              "Also revoke the API key they created",
              "Also revoke the {n} API keys they created",
            )}
            hint={t("Whatever uses them stops working. Keep them if your apps depend on them.")}
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
          toast(t("{name} is now an {role}.", { name: member.name, role: inSentence(ROLES[wanted].title) }));
          close();
        },
      },
    );
  return (
    <tr>
      <td>
        <span className={css.person}>
          {member.name} {member.id === user.id && <Badge>{t("You")}</Badge>}
        </span>
        <span className={css.email}>{member.email}</span>
      </td>
      <td data-label={t("Role")}>
        {may ? (
          <div className={css.role}>
            <Select
              aria-label={t("Role of {name}", { name: member.name })}
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
      <td data-label={t("Last seen")} className={css.quiet}>
        {member.last_seen_at ? <Time at={member.last_seen_at} /> : t("Never")}
      </td>
      <td data-label={t("Joined")} className={css.quiet}>
        <Time at={member.created_at} form="day" />
      </td>
      <td className={css.end} data-corner>
        {may && (
          <IconButton
            label={t("Remove {name}", { name: member.name })}
            icon={<UserMinus size={16} aria-hidden />}
            onClick={onRemove}
          />
        )}
        <ConfirmDialog
          open={wanted !== null}
          onClose={close}
          onConfirm={confirm}
          busy={change.isPending}
          error={change.error}
          title={t("Make {name} an {role}?", {
            name: member.name,
            role: inSentence(ROLES[wanted ?? member.role].title),
          })}
          confirm={t("Change role")}
          variant="primary"
        >
          <p>{wanted && ROLES[wanted].sentence}</p>
          <p>
            {member.id === user.id
              ? t("You are an {role} now. The change is effective at once.", {
                  role: inSentence(ROLES[member.role].title),
                })
              : t("{name} is an {role} now. The change is effective at once.", {
                  name: member.name,
                  role: inSentence(ROLES[member.role].title),
                })}
          </p>
        </ConfirmDialog>
      </td>
    </tr>
  );
}
