import { CodeBlock } from "../../components/code.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { t } from "../../lib/texts.ts";
import css from "./detail.module.css";
import { NODE_SNIPPET, PYTHON_SNIPPET } from "./snippets.ts";

/** The code that checks a delivery's signature. */
export const SnippetTabs = () => (
  <div className={css.snippet}>
    <Tabs
      label={t("Language")}
      tabs={[
        {
          value: "node",
          title: "Node",
          content: <CodeBlock code={NODE_SNIPPET} what={t("verification code for Node")} />,
        },
        {
          value: "python",
          title: "Python",
          content: <CodeBlock code={PYTHON_SNIPPET} what={t("verification code for Python")} />,
        },
      ]}
    />
  </div>
);
