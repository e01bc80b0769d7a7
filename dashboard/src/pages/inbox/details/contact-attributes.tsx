import { useContact } from "../../../api/contacts.ts";
import { Skeleton } from "../../../components/states.tsx";
import { AttributesForm } from "../../contacts/attributes-form.tsx";

/** Edits the attributes of a conversation's contact next to the conversation. */
export function ContactAttributes({ id, onDone }: { id: number; onDone: () => void }) {
  const contact = useContact(String(id));
  if (!contact.data) return <Skeleton height={72} />;
  return <AttributesForm contact={contact.data} onDone={onDone} />;
}
