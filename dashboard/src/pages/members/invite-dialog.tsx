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
        title={invite.data.emailed ? "Invitation sent" : "Send this link"}
        description={
          invite.data.emailed
            ? `An e-mail with this link is on its way to ${invite.data.email}. The link lets them join, once.`
            : `It lets ${invite.data.email} join, once. Parley has sent no e-mail: send it yourself.`
        }
        footer={
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <SecretGuard />
        <SecretText secret={invite.data.url} what="invitation link" />
        <Notice tone="info">
          It is shown only once and expires <Time at={invite.data.expires_at} />. Lost it? Invite the same address
          again: the new link replaces this one.
        </Notice>
      </Dialog>
    );
  const general = invite.error && beyondFields(invite.error, ["email"]);
  const roles = (Object.keys(ROLES) as Role[]).filter((one) => mine === "owner" || one !== "owner").reverse();
  return (
    <Dialog
      open
      onClose={onClose}
      title="Invite a member"
      description={sendsMail ? "They get an e-mail with a link." : "You get a link to send to them."}
      onSubmit={() => invite.mutate({ email, role })}
      footer={
        <SubmitFooter onCancel={onClose} busy={invite.isPending}>
          {sendsMail ? "Send invitation" : "Create link"}
        </SubmitFooter>
      }
    >
      <Field label="E-mail" error={invite.error?.details.email}>
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
        label="Role"
        name="role"
        value={role}
        onChange={setRole}
        options={roles.map((one) => ({ value: one, title: ROLES[one].title, hint: ROLES[one].sentence }))}
      />
      {general && <Notice tone="danger">{general}</Notice>}
    </Dialog>
  );
}
