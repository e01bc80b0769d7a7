import "../../../components/preload-dialogs.ts";
import { lazy } from "react";
import { Route, Switch, useSearch } from "wouter";
import { NotFoundPage } from "../../not-found-page.tsx";
import { ListPage } from "./list-page.tsx";

const NewPage = lazy(() => import("./new-page.tsx").then((module) => ({ default: module.NewPage })));
const EditPage = lazy(() => import("./edit-page.tsx").then((module) => ({ default: module.EditPage })));
const ConsumerPage = lazy(() => import("./consumer-page.tsx").then((module) => ({ default: module.ConsumerPage })));

/** Creating has no path of its own: `new` is a name that a consumer may have. */
const ListOrNew = () => (new URLSearchParams(useSearch()).has("new") ? <NewPage /> : <ListPage />);

export const ConsumersPages = () => (
  <Switch>
    <Route path="/settings/consumers" component={ListOrNew} />
    <Route path="/settings/consumers/:name">{({ name }) => <ConsumerPage key={name} name={name} />}</Route>
    <Route path="/settings/consumers/:name/edit">{({ name }) => <EditPage key={name} name={name} />}</Route>
    <Route component={NotFoundPage} />
  </Switch>
);
