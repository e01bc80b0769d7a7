import { useInstallation, type Widget } from "../../api/widgets.ts";
import { CodeBlock } from "../../components/code.tsx";
import { Notice } from "../../components/notice.tsx";
import { Section } from "../../components/page.tsx";
import { Time } from "../../components/time.tsx";
import { rich } from "../../lib/rich.ts";
import { t } from "../../lib/texts.ts";
import { pageSnippet } from "./snippets.ts";
import css from "./widgets.module.css";

/** The line for the page, and whether a message has come from there. */
export const InstallSection = ({ widget }: { widget: Widget }) => (
  <Section
    title={t("Put it into your page")}
    description={t("One line before the end of the body, on every page that should have the chat.")}
  >
    <CodeBlock code={pageSnippet(location.origin, widget.public_id)} what={t("snippet")} wrap />
    <InstallationCheck widget={widget} />
    <p className={css.hint}>
      {rich("A content security policy needs {origin} (or the script's nonce) and {origin2}, nothing else.", {
        origin: <code>script-src {location.origin}</code>,
        origin2: <code>frame-src {location.origin}</code>,
      })}{" "}
      <a href="/docs/widgets">{t("More about widgets")}</a>
    </p>
  </Section>
);

function InstallationCheck({ widget: { id, collect_page, allowed_origins } }: { widget: Widget }) {
  const installation = useInstallation(id);
  const { data, error } = installation;
  if (error) return <Notice tone="danger">{error.message}</Notice>;
  if (data === undefined) return null;
  if (data.last_message_at === null)
    return (
      <Notice>
        {t(
          "No message yet. Nothing is recorded before a visitor writes, so open your page and send the first one yourself.",
        )}
      </Notice>
    );
  const origin = data.url === null ? null : new URL(data.url).origin;
  const values = { time: <Time at={data.last_message_at} />, origin: <code>{origin}</code> };
  return (
    <Notice tone="success">
      {origin === null
        ? rich("It works: the latest conversation began {time}.", values)
        : allowed_origins.includes(origin)
          ? rich("It works: the latest conversation began {time} on {origin}.", values)
          : rich(
              "It works: the latest conversation began {time} on {origin}, which is no longer among the pages.",
              values,
            )}
      {origin === null && !collect_page && <> {t("Its page was not recorded, as the settings say.")}</>}
    </Notice>
  );
}
