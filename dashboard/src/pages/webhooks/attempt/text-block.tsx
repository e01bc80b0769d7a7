import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/code.tsx";
import { t } from "../../../lib/texts.ts";
import css from "./attempt.module.css";
import { prettyJson, visibleText } from "./visible-text.ts";

/**
 * What came over the wire, as text and nothing but text. JSON is laid out until its plain form is asked for; copying always
 * copies what was really there.
 */
export function TextBlock({ text, what }: { text: string; what: string }) {
  const [plain, setPlain] = useState(false);
  const pretty = prettyJson(text);
  return (
    <div className={css.text}>
      <div className={css.textTools}>
        {pretty !== null && pretty !== text && (
          <Button size="small" variant="ghost" aria-pressed={plain} onClick={() => setPlain(!plain)}>
            {plain ? t("Lay out") : t("As sent")}
          </Button>
        )}
        <CopyButton text={text} what={what} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={css.textScroll} tabIndex={0} aria-label={what}>
        <pre data-text={what}>{visibleText(plain ? text : (pretty ?? text))}</pre>
      </section>
    </div>
  );
}
