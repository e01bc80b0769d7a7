import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useInvitations, useMembers } from "../../api/members.ts";
import { Button } from "../../components/button.tsx";
import { Card, Page, Section } from "../../components/page.tsx";
import { ErrorState, SkeletonRows } from "../../components/states.tsx";
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
      description="People who can sign in to this workspace, and what each may do."
      actions={
        <Button variant="primary" icon={<UserPlus size={16} aria-hidden />} onClick={() => setInviting(true)}>
          Invite
        </Button>
      }
    >
      <Card>
        {members.isPending ? (
          <SkeletonRows rows={3} />
        ) : members.error ? (
          <ErrorState error={members.error} onRetry={() => members.refetch()} />
        ) : (
          <MembersTable members={members.data} />
        )}
      </Card>
      {invitations.data && invitations.data.length > 0 && (
        <Section title="Invitations" description="Not accepted yet. The link was shown when each was made." flush>
          <div className={css.padTop}>
            <InvitationsTable invitations={invitations.data} />
          </div>
        </Section>
      )}
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Page>
  );
}
