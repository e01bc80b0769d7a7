import { CircleAlert, CircleCheck, CircleHelp, Clock, RotateCw, Undo2, X } from "lucide-react";
import { useCancelMail, useResend } from "../../../../api/mail.ts";
import type { Message } from "../../../../api/messages.ts";
import { Button } from "../../../../components/button.tsx";
import { Said } from "../../../../components/said.tsx";
import { inSentence, t } from "../../../../lib/texts.ts";
import { clockTime } from "../../names.ts";
import css from "./mail.module.css";

type Delivery = NonNullable<Message["delivery"]>;
type State = Delivery["state"];

const STATES: Record<State, { title: string; icon: typeof Clock; tone: "quiet" | "danger" | "warning" }> = {
  pending: { title: t("Waiting to be sent"), icon: Clock, tone: "quiet" },
  sending: { title: t("Being sent"), icon: Clock, tone: "quiet" },
  sent: { title: t("Sent"), icon: CircleCheck, tone: "quiet" },
  failed: { title: t("Not delivered"), icon: CircleAlert, tone: "danger" },
  unknown: { title: t("Unknown whether it arrived"), icon: CircleHelp, tone: "warning" },
  bounced: { title: t("Returned as undeliverable"), icon: Undo2, tone: "danger" },
};

const UNDELIVERED: readonly State[] = ["failed", "unknown", "bounced"];

/** How a mail that goes out is doing, for each recipient where they differ. */
export function MailDelivery({ message, delivery }: { message: Message; delivery: Delivery }) {
  const { state, recipients } = delivery;
  const { title, icon: Icon, tone } = STATES[state];
  const undelivered = recipients.filter((one) => UNDELIVERED.includes(one.state));
  const differ = recipients.some((one) => one.state !== state);
  return (
    <div className={css.delivery} data-tone={tone} data-delivery={state}>
      <p>
        <Icon size={12} aria-hidden /> {title}
        {nextAttempt(delivery)}
        {delivery.error && (
          <>
            {". "}
            <Said text={delivery.error} />
          </>
        )}
      </p>
      {(differ || undelivered.length > 1) && (
        <ul>
          {recipients.map((one) => (
            <li key={one.address}>
              {one.address}: {inSentence(STATES[one.state].title)}
              {one.error && (
                <>
                  {". "}
                  <Said text={one.error} />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {undelivered.length > 0 && <Resend message={message} undelivered={undelivered} />}
      {state === "pending" && <Cancel message={message} />}
    </div>
  );
}

function nextAttempt({ state, attempts, next_attempt_at }: Delivery): string {
  const retries = state === "pending" && attempts > 0 && next_attempt_at !== null;
  return retries ? t(", next attempt at {time}", { time: clockTime(next_attempt_at) }) : "";
}

function Resend({ message, undelivered }: { message: Message; undelivered: Delivery["recipients"] }) {
  const resend = useResend(message);
  const isUnknown = undelivered.some(({ state }) => state === "unknown");
  return (
    <>
      {isUnknown && (
        <p>{t("The connection was lost at its end. If it did arrive, sending it again makes a second copy.")}</p>
      )}
      <Button
        size="small"
        icon={<RotateCw size={12} aria-hidden />}
        busy={resend.isPending}
        onClick={() => resend.mutate()}
      >
        {t("Resend")}
      </Button>
      {resend.error && <p role="alert">{resend.error.message}</p>}
    </>
  );
}

function Cancel({ message }: { message: Message }) {
  const cancel = useCancelMail(message);
  return (
    <>
      <Button
        size="small"
        variant="ghost"
        icon={<X size={12} aria-hidden />}
        busy={cancel.isPending}
        onClick={() => cancel.mutate()}
      >
        {t("Cancel sending")}
      </Button>
      {cancel.error && <p role="alert">{cancel.error.message}</p>}
    </>
  );
}
