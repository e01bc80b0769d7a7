import type { Contact } from "../../api/contacts.ts";
import { Section } from "../../components/page.tsx";
import { t } from "../../lib/texts.ts";
import { AttributesForm } from "./attributes-form.tsx";

export const AttributesSection = ({ contact }: { contact: Contact }) => (
  <Section title={t("Attributes")} description={t("Free fields of your own. Your apps read and write them too.")}>
    <AttributesForm contact={contact} />
  </Section>
);
