import { ChevronDown, Send } from "lucide-react";
import { useEventTypes } from "../../api/catalogue.ts";
import type { Webhook, WebhookTestResult } from "../../api/webhooks.ts";
import { useTestWebhook } from "../../api/webhooks.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Menu, MenuItem, MenuLabel } from "../../components/menu.tsx";
import { Notice } from "../../components/notice.tsx";
import { formatDuration } from "../../lib/format.ts";
import { t } from "../../lib/texts.ts";
import css from "./detail.module.css";

type Test = ReturnType<typeof useTestWebhook>;

/** The button and the response. */
export function TestSend({ webhookId }: { webhookId: number }) {
  const test = useTestWebhook(webhookId);
  return (
    <div className={css.stack}>
      <div>
        <TestButton test={test} />
      </div>
      <TestOutcome test={test} />
    </div>
  );
}

export const TestButton = ({ test }: { test: Test }) => (
  <Button icon={<Send size={14} aria-hidden />} busy={test.isPending} onClick={() => test.mutate(undefined)}>
    {t("Send test")}
  </Button>
);

/** The button, and next to it the events to test with: those that the webhook subscribes to, as in the catalogue. */
export function TestWithChoice({ webhook, test }: { webhook: Webhook; test: Test }) {
  const catalogue = useEventTypes().data ?? [];
  const types = catalogue.map(({ name }) => name).filter((name) => isSubscribed(webhook.events, name));
  const choose = (
    <IconButton label={t("Choose an example")} variant="secondary" icon={<ChevronDown size={16} aria-hidden />} />
  );
  return (
    <div className={css.split}>
      <TestButton test={test} />
      <Menu trigger={choose}>
        <MenuLabel>{t("Send an example of")}</MenuLabel>
        {["webhook.test", ...types].map((type) => (
          <MenuItem key={type} onSelect={() => test.mutate(type)}>
            <code>{type}</code>
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}

const isSubscribed = (names: readonly string[], type: string): boolean =>
  type !== "webhook.test" && ["*", type, `${type.split(".")[0]}.*`].some((name) => names.includes(name));

export const TestOutcome = ({ test }: { test: Test }) => (
  <div role="status" className={css.outcome} data-test-outcome>
    {test.isPending ? (
      <Notice title={t("Waiting for the response…")}>{t("The test event was sent.")}</Notice>
    ) : test.error ? (
      <Notice tone="danger" title={t("The test was not sent")}>
        {test.error.details.url?.[0] ?? test.error.message}
      </Notice>
    ) : test.data ? (
      <Outcome result={test.data} type={test.variables ?? "webhook.test"} />
    ) : null}
  </div>
);

function Outcome({ result, type }: { result: WebhookTestResult; type: string }) {
  const time = formatDuration(result.response_time_ms);
  if (result.success)
    return (
      <Notice tone="success" title={t("Delivered: {code} in {time}", { code: String(result.status_code), time })}>
        {t("The destination accepted the test event. The webhook's log has it as {type}.", { type })}
      </Notice>
    );
  const what =
    result.status_code === 0
      ? t("no response after {time}", { time })
      : t("{code} in {time}", { code: String(result.status_code), time });
  return (
    <Notice tone="danger" title={t("Not delivered: {what}", { what })}>
      {adviceFor(result)}
    </Notice>
  );
}

function adviceFor({ status_code: code, error }: WebhookTestResult): string {
  if (code === 0)
    return t("{problem}. Is the server running, and does the URL lead to it?", {
      problem: error ?? t("There was no HTTP response"),
    });
  if (code === 401 || code === 403)
    return t("The destination refused it. Check its signature verification, or add the header it asks for.");
  if (code === 404 || code === 405) return t("Nothing at this path accepts a POST. Check the URL.");
  if (code >= 300 && code < 400) return t("Redirects are not followed. Use the URL it leads to.");
  if (code === 410) return t("410 means gone: outside a test this response disables the webhook.");
  return t("Every status other than 2xx counts as a failure. The response is in the log.");
}
