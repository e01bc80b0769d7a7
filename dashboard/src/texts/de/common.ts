import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "Your role in {workspace} is {role}. An owner or admin can change it under {place}.":
    "Ihre Rolle in {workspace} ist {role}. Inhaber und Admins können sie unter {place} ändern.",
};
