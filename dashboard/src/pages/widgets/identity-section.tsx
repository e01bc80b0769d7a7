import { type Widget, widgetPath } from "../../api/widgets.ts";
import { CodeBlock } from "../../components/code.tsx";
import { HiddenSecret, RotateSecretDialog } from "../../components/hidden-secret.tsx";
import { Section } from "../../components/page.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { t } from "../../lib/texts.ts";
import { IDENTITY_SNIPPETS } from "./snippets.ts";
import css from "./widgets.module.css";

const OVERLAPS = [
  { value: "0", title: t("At once"), hint: t("Tokens of the old secret are refused now. For a secret that leaked.") },
  { value: "3600", title: t("After an hour"), hint: t("Both secrets are accepted until then.") },
  { value: "86400", title: t("After a day"), hint: t("Both secrets are accepted until then.") },
] as const;

/** Who a visitor is, where your site knows it. */
export const IdentitySection = ({ widget }: { widget: Widget }) => (
  <Section
    title={t("Signed-in visitors")}
    description={t(
      "Your server signs who the visitor is, for at most an hour. The token goes into the snippet as data-token, or to Parley('identify', token).",
    )}
  >
    <HiddenSecret
      path={widgetPath(widget.id)}
      what={t("identity secret")}
      prefix="wis_"
      rotateDialog={(onClose) => (
        <RotateSecretDialog
          path={widgetPath(widget.id)}
          what={t("identity secret")}
          title={t("Rotate the identity secret")}
          description={t("When do tokens of the old secret stop being accepted?")}
          overlaps={OVERLAPS}
          rotated={() => ({
            title: t("The new identity secret"),
            description: t("Put it in place on your server."),
          })}
          onClose={onClose}
        />
      )}
    />
    <div className={css.snippet}>
      <Tabs
        label={t("Language")}
        tabs={IDENTITY_SNIPPETS.map(({ name, code }) => ({
          value: name,
          title: name,
          content: <CodeBlock code={code} what={t("identity token in {name}", { name })} />,
        }))}
      />
    </div>
  </Section>
);
