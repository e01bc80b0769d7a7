export const CONTACT_FIELDS = [
  { name: "name", label: "Name", type: "text" },
  { name: "email", label: "E-mail", type: "email" },
  { name: "phone", label: "Phone", type: "tel" },
  { name: "external_id", label: "External id", type: "text" },
] as const;

export type ContactValues = Record<(typeof CONTACT_FIELDS)[number]["name"], string>;
