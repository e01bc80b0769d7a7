import { t } from "../../lib/texts.ts";
import "../../components/preload-dialogs.ts";
import { SearchX, UserPlus } from "lucide-react";
import { useState } from "react";
import { MEMBERS_PER_PAGE, useInvitations, useMembers } from "../../api/members.ts";
import { Button } from "../../components/button.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Card, Page, Section } from "../../components/page.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { EmptyState, SkeletonRows } from "../../components/states.tsx";
import { useSearchState } from "../../lib/use-search-state.ts";
import { InvitationsTable } from "./invitations-table.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import css from "./members.module.css";
import { MembersTable } from "./members-table.tsx";

export function MembersPage() {
  const invitations = useInvitations();
  const [inviting, setInviting] = useState(false);
  return (
    <Page
      title={t("Members")}
      description={t("Who can sign in to this workspace, and what each of them may do.")}
      actions={
        <Button variant="primary" icon={<UserPlus size={16} aria-hidden />} onClick={() => setInviting(true)}>
          {t("Invite")}
        </Button>
      }
    >
      <MemberList />
      {invitations.data && invitations.data.length > 0 && (
        <Section
          title={t("Invitations")}
          description={t("Not accepted yet. Each link was shown when the invitation was created.")}
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

/** One page of the members; a team that fits on one is shown without search and pages. */
function MemberList() {
  const [values, change] = useSearchState(["search", "page"]);
  const { search } = values;
  const page = Math.max(1, Number(values.page) || 1);
  const members = useMembers({ search, page });
  const isLong = search !== "" || page > 1 || (members.data?.meta.pagination.total ?? 0) > MEMBERS_PER_PAGE;
  return (
    <Card>
      {isLong && (
        <div className={css.tools}>
          <SearchField
            label={t("Search by name or e-mail")}
            value={search}
            onChange={(next) => change({ search: next, page: "" })}
          />
        </div>
      )}
      <Loaded query={members} skeleton={<SkeletonRows rows={3} />}>
        {({ data, meta, links }) =>
          data.length === 0 ? (
            <EmptyState
              icon={<SearchX size={20} />}
              title={t("No member matches")}
              actions={<Button onClick={() => change({ search: "", page: "" })}>{t("Show everybody")}</Button>}
            >
              {t("Neither a name nor an e-mail address contains “{search}”.", { search })}
            </EmptyState>
          ) : (
            <>
              <MembersTable members={data} />
              {isLong && (
                <nav className={css.pages} aria-label={t("Pages")}>
                  <span role="status">
                    {t("{from}–{to} of {total}", {
                      from: meta.pagination.from,
                      to: meta.pagination.to,
                      total: meta.pagination.total,
                    })}
                  </span>
                  <Button disabled={page <= 1} onClick={() => change({ page: page <= 2 ? "" : String(page - 1) })}>
                    {t("Previous")}
                  </Button>
                  <Button disabled={links.next === null} onClick={() => change({ page: String(page + 1) })}>
                    {t("Next")}
                  </Button>
                </nav>
              )}
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
