import { t } from "../lib/texts.ts";
export const TITLE = t("Your session has ended");

export const leave = () => window.location.assign("/sign-in");
