import "../../components/preload-dialogs.ts";
import { lazy } from "react";
import { Route, Switch } from "wouter";
import { NotFoundPage } from "../not-found-page.tsx";
import { ListPage } from "./list-page.tsx";

// The list is what people open first; it does not wait for the forms and the log.
const EditPage = lazy(() => import("./edit-page.tsx").then((module) => ({ default: module.EditPage })));
const NewPage = lazy(() => import("./new-page.tsx").then((module) => ({ default: module.NewPage })));
const WebhookPage = lazy(() => import("./webhook-page.tsx").then((module) => ({ default: module.WebhookPage })));

/** /settings/webhooks and everything below it. The paths here are whole: there is no nesting. */
export const WebhooksPages = () => (
  <Switch>
    <Route path="/settings/webhooks" component={ListPage} />
    <Route path="/settings/webhooks/new" component={NewPage} />
    <Route path="/settings/webhooks/:id">{({ id }) => <WebhookPage key={id} id={id} />}</Route>
    <Route path="/settings/webhooks/:id/edit">{({ id }) => <EditPage key={id} id={id} />}</Route>
    <Route component={NotFoundPage} />
  </Switch>
);
