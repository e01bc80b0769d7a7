import { useInstallation, type Widget } from "../../api/widgets.ts";
import { CodeBlock } from "../../components/code.tsx";
import { Notice } from "../../components/notice.tsx";
import { Section } from "../../components/page.tsx";
import { Time } from "../../components/time.tsx";
import { pageSnippet } from "./snippets.ts";
import css from "./widgets.module.css";

/** The line for the page, and whether a message has come from there. */
export const InstallSection = ({ widget }: { widget: Widget }) => (
  <Section
    title="Put it into your page"
    description="One line before the end of the body, on every page that should have the chat."
  >
    <CodeBlock code={pageSnippet(location.origin, widget.public_id)} what="snippet" wrap />
    <InstallationCheck widget={widget} />
    <p className={css.hint}>
      A content security policy needs <code>script-src {location.origin}</code> (or the script's nonce) and{" "}
      <code>frame-src {location.origin}</code>, nothing else. <a href="/docs/widgets">More about widgets</a>
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
        No message yet. Nothing is recorded before a visitor writes, so open your page and send the first one yourself.
      </Notice>
    );
  const origin = data.url === null ? null : new URL(data.url).origin;
  return (
    <Notice tone="success">
      It works: the latest conversation began <Time at={data.last_message_at} />
      {origin ? (
        <>
          {" "}
          on <code>{origin}</code>
          {allowed_origins.includes(origin) ? "." : ", which is no longer among the pages."}
        </>
      ) : (
        `.${collect_page ? "" : " Its page was not recorded, as the settings say."}`
      )}
    </Notice>
  );
}
