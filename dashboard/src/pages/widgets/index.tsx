import "../../components/preload-dialogs.ts";
import { lazy } from "react";
import { Route, Switch } from "wouter";
import { NotFoundPage } from "../not-found-page.tsx";
import { ListPage } from "./list-page.tsx";

const NewPage = lazy(() => import("./new-page.tsx").then((module) => ({ default: module.NewPage })));
const WidgetPage = lazy(() => import("./widget-page.tsx").then((module) => ({ default: module.WidgetPage })));

/** /settings/widgets and everything below it. */
export const WidgetsPages = () => (
  <Switch>
    <Route path="/settings/widgets" component={ListPage} />
    <Route path="/settings/widgets/new" component={NewPage} />
    <Route path="/settings/widgets/:id">{({ id }) => <WidgetPage key={id} id={id} />}</Route>
    <Route component={NotFoundPage} />
  </Switch>
);
