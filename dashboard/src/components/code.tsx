import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { cx } from "../lib/cx.ts";
import { t } from "../lib/texts.ts";
import { Button, IconButton } from "./button.tsx";
import css from "./code.module.css";

interface CopyButtonProps {
  text: string;
  /** What is copied: "secret". */
  what: string;
  /** With words instead of the icon alone. */
  words?: boolean;
  /** As large as the buttons next to it. */
  large?: boolean;
  className?: string | undefined;
}

export function CopyButton({ text, what, words, large, className }: CopyButtonProps) {
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), 2_000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => setState((await copyText(text)) ? "copied" : "refused");
  const icon = state === "copied" ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />;
  const done = state === "copied" ? t("Copied") : t("Select the text and copy it");
  return (
    <>
      {words ? (
        <Button size={large ? "medium" : "small"} icon={icon} onClick={copy} className={className}>
          {state === "idle" ? t("Copy") : done}
          <span className="visually-hidden">{state === "idle" ? ` ${what}` : ""}</span>
        </Button>
      ) : (
        <IconButton size="small" icon={icon} label={t("Copy {what}", { what })} onClick={copy} className={className} />
      )}
      <span className="visually-hidden" role="status">
        {state === "idle" ? "" : done}
      </span>
    </>
  );
}

/** Without https the clipboard API is missing; the old way still works from a click. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "visually-hidden";
    const dialog = document.querySelector("[role=dialog]") ?? document.body;
    dialog.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    return copied;
  }
}

/** Text as it is, with a copy button. `wrap` where long lines should not scroll. */
export const CodeBlock = ({ code, what = "code", wrap }: { code: string; what?: string; wrap?: boolean }) => (
  <div className={css.block}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
    <section className={css.scroll} tabIndex={0} aria-label={what}>
      <pre className={cx(css.pre, wrap && css.wrap)}>
        <code>{code}</code>
      </pre>
    </section>
    <CopyButton text={code} what={what} className={css.corner} />
  </div>
);

/** A secret in one line, whole, ready to be copied. */
export const SecretText = ({ secret, what }: { secret: string; what: string }) => (
  <div className={css.secret}>
    <code className={css.secretText} data-secret>
      {secret}
    </code>
    <CopyButton text={secret} what={what} words />
  </div>
);
