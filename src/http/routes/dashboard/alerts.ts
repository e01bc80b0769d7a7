import { Type } from "typebox";
import { readLanguage } from "../../../accounts/languages.ts";
import { MANAGERS } from "../../../accounts/roles.ts";
import { ALERT_CHANNELS } from "../../../alerts/queue.ts";
import { changeAlertSettings, readAlertSettings } from "../../../alerts/settings.ts";
import { problems } from "../../../core/errors.ts";
import { createLimiter } from "../../../rate-limit/limiter.ts";
import { NullableString, nullableString, oneOf, optionalString } from "../../../resources/common.ts";
import { tooMany } from "../../pipeline/access.ts";
import type { RouteOf } from "../../pipeline/route.ts";
import { route, type Services } from "./services.ts";
import { sessionOf } from "./signing-in.ts";

const PATH = "/alert-settings";
const roles = MANAGERS;
/** Test messages per workspace and hour. */
const TESTS_MAX = 20;

const AlertSettingsRecord = Type.Object(
  {
    email_available: Type.Boolean({ description: "A mail server is configured." }),
    email_enabled: Type.Boolean({ description: "Owners and admins get alerts by e-mail." }),
    slack_host: nullableString("Host of the chat's incoming webhook; the rest of its URL is a secret and not shown."),
  },
  { title: "AlertSettings" },
);
const TestResult = Type.Object({ sent: Type.Boolean(), error: NullableString }, { title: "AlertTest" });

/** Who receives the alerts of a workspace. */
export function alertRoutes(): RouteOf<Services>[] {
  const tests = createLimiter({ requests: TESTS_MAX, windowSeconds: 3_600 });
  return [
    route({
      method: "GET",
      path: PATH,
      summary: "Get the settings of alerts",
      access: "any",
      roles,
      success: { status: 200, data: AlertSettingsRecord },
      handler: async ({ caller }, { db, secretBox, notices }) => ({
        data: { email_available: notices !== null, ...(await readAlertSettings(db, secretBox, caller.workspaceId)) },
      }),
    }),
    route({
      method: "PATCH",
      path: PATH,
      summary: "Change the settings of alerts",
      access: "any",
      roles,
      body: Type.Object({
        email_enabled: Type.Optional(Type.Boolean()),
        slack_url: optionalString(2_048, "An incoming webhook URL of Slack; an empty string removes it."),
      }),
      success: { status: 200, data: AlertSettingsRecord },
      check: async ({ body: { slack_url: url }, caller }, { checkUrl }) => {
        if (!url) return {};
        const verdict = await checkUrl(url, caller.workspaceId);
        return problems({ slack_url: verdict.ok ? [] : [verdict.message] });
      },
      handler: ({ caller, body, write }, { secretBox, notices }) =>
        write(async (tx) => ({
          data: { email_available: notices !== null, ...(await changeAlertSettings(tx, secretBox, caller, body)) },
        })),
    }),
    route({
      method: "POST",
      path: `${PATH}/test`,
      summary: "Send a test message: by e-mail to yourself, or to the chat",
      access: "any",
      roles,
      body: Type.Object({ channel: oneOf(ALERT_CHANNELS, { title: "AlertChannel" }) }),
      success: { status: 200, data: TestResult },
      waitsOutside: true,
      handler: async ({ caller: { workspaceId }, request, body: { channel } }, { db, sendTestMessage }) => {
        const verdict = await tests.consume(String(workspaceId));
        if (!verdict.allowed) throw tooMany(verdict, "Too many test messages. Wait before sending another one.");
        const { user, workspace } = sessionOf(request);
        const language = await readLanguage(db, user.email);
        const to = { email: user.email, language };
        const error = await sendTestMessage({ channel, workspaceId, workspace: workspace.name, ...to });
        return { data: { sent: error === null, error } };
      },
    }),
  ];
}
