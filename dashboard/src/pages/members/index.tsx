import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useInvitations, useMembers } from "../../api/members.ts";
import { Button } from "../../components/button.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Card, Page, Section } from "../../components/page.tsx";
import { SkeletonRows } from "../../components/states.tsx";
import { InvitationsTable } from "./invitations-table.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import css from "./members.module.css";
import { MembersTable } from "./members-table.tsx";

export function MembersPage() {
  const members = useMembers();
  const invitations = useInvitations();
  const [inviting, setInviting] = useState(false);
  return (
    <Page
      title="Members"
      description="Who can sign in to this workspace, and what each of them may do."
      actions={
        <Button variant="primary" icon={<UserPlus size={16} aria-hidden />} onClick={() => setInviting(true)}>
          Invite
        </Button>
      }
    >
      <Card>
        <Loaded query={members} skeleton={<SkeletonRows rows={3} />}>
          {(list) => <MembersTable members={list} />}
        </Loaded>
      </Card>
      {invitations.data && invitations.data.length > 0 && (
        <Section
          title="Invitations"
          description="Not accepted yet. Each link was shown when the invitation was created."
          flush
        >
          <div className={css.padTop}>
            <InvitationsTable invitations={invitations.data} />
          </div>
        </Section>
      )}
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Page>
  );
}
