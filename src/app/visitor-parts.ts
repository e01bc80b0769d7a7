import type { Config } from "../config/index.ts";
import { createPresence, type Presence } from "../conversations/presence.ts";
import { gatherPresenceChanges } from "../conversations/presence-changes.ts";
import { visitorRoutes } from "../http/routes/visitor/index.ts";
import { createVisitorLimits } from "../http/routes/visitor/limits.ts";
import { createVisitorSignals, type VisitorSignals } from "../visitors/signals.ts";
import type { AppParts } from "./parts.ts";
import { fileLimitsOf } from "./settings.ts";

export type VisitorParts = ReturnType<typeof createVisitorParts>;

/** What is shared by all nodes about who is here: people in the dashboard, and visitors. */
export function createVisitorParts(config: Config, parts: AppParts) {
  const { notifications, streams, visitorStreams } = parts;
  const changed = gatherPresenceChanges(streams.sendPresence);
  const presence: Presence = createPresence({
    publish: (text) => people.publish(text),
    onChange: changed,
    onOwnChange: streams.sendOwnChange,
    onTyping: visitorStreams.sendTyping,
  });
  const people = notifications.open("parley_presence", (messages) => messages?.forEach(presence.receive));
  const signals: VisitorSignals = createVisitorSignals({
    publish: (text) => visitors.publish(text),
    onSessionsChanged: visitorStreams.recheck,
    onReadByAgent: visitorStreams.sendReadByAgent,
    // Nobody's presence: the dashboards that show the conversation look at it again.
    onReadByContact: ({ workspaceId, conversationId }) => changed({ workspaceId, conversationId, userId: 0 }),
  });
  const visitors = notifications.open("parley_visitors", (messages) => messages?.forEach(signals.receive));
  const routes = visitorRoutes({
    db: parts.store.db,
    outbox: parts.deliveryParts.outbox,
    secretBox: parts.store.secretBox,
    limits: createVisitorLimits(
      {
        messagesPerMinute: config.PARLEY_WIDGET_MESSAGES_PER_MINUTE,
        sessionsPerAddress: config.PARLEY_WIDGET_SESSIONS_PER_ADDRESS,
        sessionsPerWidget: config.PARLEY_WIDGET_SESSIONS_PER_WIDGET,
      },
      parts.tiers.limiterOf,
    ),
    fileLimits: fileLimitsOf(config),
    streams: parts.visitorStreams,
    publicUrl: config.PARLEY_PUBLIC_URL,
    presence,
    signals,
  });
  return { presence, signals, routes };
}
