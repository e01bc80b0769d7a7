import { CodeBlock, SecretText } from "../../components/code.tsx";
import { Notice } from "../../components/notice.tsx";
import { t } from "../../lib/texts.ts";
import { SecretGuard } from "../../lib/unsaved-guard.tsx";
import css from "./api-keys.module.css";

/** The only time that a secret is shown. */
export const NewSecret = ({ secret }: { secret: string }) => (
  <>
    <SecretGuard />
    <Notice tone="warning" title={t("Copy it now")}>
      {t(
        "Only a digest is stored, so it cannot be shown again. Keep it in a password manager or a secret store, never in code.",
      )}
    </Notice>
    <SecretText secret={secret} what={t("secret")} />
    <div className={css.stack}>
      <h3>{t("Try it")}</h3>
      <CodeBlock
        what={t("curl command")}
        wrap
        code={`curl ${window.location.origin}/api/v1/me \\\n  -H "Authorization: Bearer ${secret}"`}
      />
    </div>
  </>
);
