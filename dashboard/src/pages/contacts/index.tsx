import { Route, Switch } from "wouter";
import { ContactPage } from "./contact-page.tsx";
import { ContactsPage } from "./contacts-page.tsx";

export const ContactsPages = () => (
  <Switch>
    <Route path="/contacts" component={ContactsPage} />
    <Route path="/contacts/:id">{({ id }) => <ContactPage key={id} id={id} />}</Route>
  </Switch>
);
