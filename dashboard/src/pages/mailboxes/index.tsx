import "../../components/preload-dialogs.ts";
import { lazy } from "react";
import { Route, Switch } from "wouter";
import { NotFoundPage } from "../not-found-page.tsx";
import { ListPage } from "./list-page.tsx";

const NewPage = lazy(() => import("./new-page.tsx").then((module) => ({ default: module.NewPage })));
const MailboxPage = lazy(() => import("./mailbox-page.tsx").then((module) => ({ default: module.MailboxPage })));

/** /settings/mailboxes and everything below it. */
export const MailboxesPages = () => (
  <Switch>
    <Route path="/settings/mailboxes" component={ListPage} />
    <Route path="/settings/mailboxes/new" component={NewPage} />
    <Route path="/settings/mailboxes/:id">{({ id }) => <MailboxPage key={id} id={id} />}</Route>
    <Route component={NotFoundPage} />
  </Switch>
);
