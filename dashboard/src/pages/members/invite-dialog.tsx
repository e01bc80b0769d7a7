import { useState } from "react";
import { beyondFields } from "../../api/client.ts";
import { ROLES, useInvite } from "../../api/members.ts";
import { type Role, useSession } from "../../api/session.ts";
import { useSignInOptions } from "../../api/sso.ts";
import { Button } from "../../components/button.tsx";
import { SecretText } from "../../components/code.tsx";
import { Dialog, SubmitFooter } from "../../components/dialog.tsx";
import { Choices, Field, Input } from "../../components/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { Time } from "../../components/time.tsx";
import { rich } from "../../lib/rich.ts";
import { t } from "../../lib/texts.ts";
import { SecretGuard } from "../../lib/unsaved-guard.tsx";

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { role: mine } = useSession();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("agent");
  const invite = useInvite();
  // Where passwords can be reset by e-mail, invitations are sent by e-mail too.
  const sendsMail = useSignInOptions().data?.password_reset === true;
  if (invite.data)
    return (
      <Dialog
        open
        sticky
        onClose={onClose}
        title={invite.data.emailed ? t("Invitation sent") : t("Send this link")}
        description={
          invite.data.emailed
            ? t("An e-mail with this link is on its way to {email}. The link lets them join, once.", {
                email: invite.data.email,
              })
            : t("It lets {email} join, once. Parley has sent no e-mail: send it yourself.", {
                email: invite.data.email,
              })
        }
        footer={
          <Button variant="primary" onClick={onClose}>
            {t("Done")}
          </Button>
        }
      >
        <SecretGuard />
        <SecretText secret={invite.data.url} what={t("invitation link")} />
        <Notice tone="info">
          {rich(
            "It is shown only once and expires {time}. Lost it? Invite the same address again: the new link replaces this one.",
            { time: <Time at={invite.data.expires_at} /> },
          )}
        </Notice>
      </Dialog>
    );
  const general = invite.error && beyondFields(invite.error, ["email"]);
  const roles = (Object.keys(ROLES) as Role[]).filter((one) => mine === "owner" || one !== "owner").reverse();
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("Invite a member")}
      description={sendsMail ? t("They get an e-mail with a link.") : t("You get a link to send to them.")}
      onSubmit={() => invite.mutate({ email, role })}
      footer={
        <SubmitFooter onCancel={onClose} busy={invite.isPending}>
          {sendsMail ? t("Send invitation") : t("Create link")}
        </SubmitFooter>
      }
    >
      <Field label={t("E-mail")} error={invite.error?.details.email}>
        {(control) => (
          <Input
            {...control}
            type="email"
            name="email"
            autoComplete="off"
            placeholder="ann@example.com"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      <Choices<Role>
        label={t("Role")}
        name="role"
        value={role}
        onChange={setRole}
        options={roles.map((one) => ({ value: one, title: ROLES[one].title, hint: ROLES[one].sentence }))}
      />
      {general && <Notice tone="danger">{general}</Notice>}
    </Dialog>
  );
}
