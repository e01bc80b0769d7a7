import { Route, Switch } from "wouter";
import { Page } from "../../components/page.tsx";

/** /settings/webhooks and everything below it. The paths here are whole: there is no nesting. */
export const WebhooksPages = () => (
  <Switch>
    <Route path="/settings/webhooks">
      <Page title="Webhooks">Soon.</Page>
    </Route>
  </Switch>
);
