import { t } from "../../lib/texts.ts";

export const CONTACT_FIELDS = [
  { name: "name", label: t("Name"), type: "text" },
  { name: "email", label: t("E-mail"), type: "email" },
  { name: "phone", label: t("Phone"), type: "tel" },
  { name: "external_id", label: t("External id"), type: "text" },
] as const;

export type ContactValues = Record<(typeof CONTACT_FIELDS)[number]["name"], string>;
