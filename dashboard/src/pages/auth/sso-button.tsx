import { type SsoPurpose, useStartSso } from "../../api/sso.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { t } from "../../lib/texts.ts";

interface SsoButtonProps {
  /** What the provider is called. */
  name: string;
  purpose: SsoPurpose;
  primary: boolean;
}

/** Leaves for the identity provider, and says so if it cannot be reached. */
export function SsoButton({ name, purpose, primary }: SsoButtonProps) {
  const start = useStartSso();
  return (
    <>
      {start.error && <Notice tone="danger">{start.error.message}</Notice>}
      <Button
        variant={primary ? "primary" : "secondary"}
        size="wide"
        busy={start.isPending}
        onClick={() => start.mutate(purpose)}
      >
        {t("Sign in with {name}", { name })}
      </Button>
    </>
  );
}
