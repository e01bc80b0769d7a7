import { LinkButton } from "../components/button.tsx";
import { t } from "../lib/texts.ts";
import { PublicPage } from "./public-page.tsx";

/** The address names a workspace that does not exist or that the user does not belong to; the two look the same. */
export const NoSuchWorkspace = () => (
  <PublicPage
    title={t("No such workspace")}
    lead={t("It was deleted, or you are not a member of it. Ask the person who sent you the link for an invitation.")}
  >
    <LinkButton href="/" variant="primary" size="wide">
      {t("Go to your workspace")}
    </LinkButton>
  </PublicPage>
);
