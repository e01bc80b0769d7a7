import type { Notifications } from "../db/notifications.ts";
import type { Delivery, Lane } from "../delivery/index.ts";
import { laneName } from "../queue/lane.ts";

const DELIVERY_CHANNEL = "parley_deliveries";
/** Ends the message of a lane that its preferred worker has no room for: any other worker may claim from it. */
const PASSED_ON = "!";

interface WakeUps {
  /** Wakes the engine of this process and, if there are other workers, theirs. */
  wake(lanes: readonly Lane[]): void;
  /** Lets any other worker claim from lanes that this one has no room for. */
  passOn(lanes: readonly Lane[]): void;
}

/** Wake-ups after a commit, here and in every other process. They only save waiting for the discovery. */
export function openWakeUps(notifications: Notifications, engine: () => Delivery | null): WakeUps {
  const channel = notifications.open(DELIVERY_CHANNEL, (messages) => {
    // Too many lanes to name in one notification: search all of them.
    if (!messages) return engine()?.wakeAll();
    const isPassedOn = (message: string): boolean => message.endsWith(PASSED_ON);
    engine()?.wake(messages.filter((message) => !isPassedOn(message)).map(toLane), { onlyOwn: true });
    engine()?.wake(messages.filter(isPassedOn).map(toLane), { onlyOwn: false });
  });
  return {
    wake(lanes) {
      // Where notifications work, all workers get this wake-up. Otherwise only this one does, and takes all lanes.
      engine()?.wake(lanes, { onlyOwn: channel.isListening });
      // Whether there are other workers is known as of the last heartbeat. One that has registered since then is not notified
      // and finds the work by its discovery.
      if (engine()?.hasOtherWorkers() ?? true) for (const lane of lanes) channel.publish(laneName(lane));
    },
    passOn(lanes) {
      for (const lane of lanes) channel.publish(`${laneName(lane)}${PASSED_ON}`);
    },
  };
}

function toLane(message: string): Lane {
  const [workspaceId = 0, webhookId = 0] = message.replace(PASSED_ON, "").split(":").map(Number);
  return { workspaceId, webhookId };
}
