import { Route, Switch } from "wouter";
import { NotFoundPage } from "../not-found-page.tsx";
import { EditPage } from "./edit-page.tsx";
import { ListPage } from "./list-page.tsx";
import { NewPage } from "./new-page.tsx";
import { WebhookPage } from "./webhook-page.tsx";

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
