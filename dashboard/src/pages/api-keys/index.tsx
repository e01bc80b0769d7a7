import "../../components/preload-dialogs.ts";
import { Route, Switch } from "wouter";
import { KeyPage } from "./key-page.tsx";
import { KeysPage } from "./keys-page.tsx";
import { NewKeyPage } from "./new-key-page.tsx";

export const ApiKeysPages = () => (
  <Switch>
    <Route path="/settings/api-keys" component={KeysPage} />
    <Route path="/settings/api-keys/new" component={NewKeyPage} />
    <Route path="/settings/api-keys/:id">{({ id }) => <KeyPage key={id} id={id} />}</Route>
  </Switch>
);
