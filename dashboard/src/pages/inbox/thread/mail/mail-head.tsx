import type { Message } from "../../../../api/messages.ts";
import { Badge } from "../../../../components/badge.tsx";
import { t } from "../../../../lib/texts.ts";
import { formatExact } from "../../../../lib/time.ts";
import css from "./mail.module.css";
import { Original } from "./mail-message.tsx";

type Email = NonNullable<Message["email"]>;
type Address = Email["to"][number];

const ADDRESSES_SHOWN = 3;

/** To whom it went, in a line that opens to everything else, and what one should know about its sender. */
export function MailHead({ message }: { message: Message }) {
  const { email } = message;
  if (!email) return null;
  return (
    <div className={css.head}>
      <Badges email={email} />
      <details className={css.details}>
        <summary>{lineOf(email)}</summary>
        <dl>
          <Line name={t("Subject")}>{email.subject ?? t("No subject")}</Line>
          {email.from && <Line name={t("Sender")}>{whole(email.from)}</Line>}
          <Line name={t("Recipients")}>{email.to.map(whole).join(", ") || t("Nobody named")}</Line>
          {email.cc.length > 0 && <Line name="Cc">{email.cc.map(whole).join(", ")}</Line>}
          {email.reply_to.length > 0 && <Line name={t("Reply to")}>{email.reply_to.map(whole).join(", ")}</Line>}
          {email.date && <Line name={t("Date")}>{formatExact(new Date(email.date))}</Line>}
          {email.authentication && <Line name={t("Verified")}>{verdictsOf(email.authentication)}</Line>}
        </dl>
        <Original message={message}>
          {message.direction === "in" ? t("Download the mail as it came") : t("Download the mail as it was sent")}
        </Original>
      </details>
    </div>
  );
}

const Line = ({ name, children }: { name: string; children: string }) => (
  <div>
    <dt>{name}</dt>
    <dd dir="auto">{children}</dd>
  </div>
);

const whole = ({ name, address }: Address): string => (name ? `${name} <${address}>` : address);
const short = ({ name, address }: Address): string => name || address;

function lineOf({ to, cc }: Email): string {
  const listed = (people: readonly Address[]) => {
    const shown = people.slice(0, ADDRESSES_SHOWN).map(short).join(", ");
    return people.length > ADDRESSES_SHOWN
      ? t("{shown} and {n} more", { shown, n: people.length - ADDRESSES_SHOWN })
      : shown;
  };
  const recipients = t("To {people}", { people: listed(to) || t("nobody named") });
  return cc.length > 0 ? `${recipients}, ${t("Cc")} ${listed(cc)}` : recipients;
}

const verdictsOf = ({ spf, dkim, dmarc }: NonNullable<Email["authentication"]>): string =>
  [
    ["SPF", spf],
    ["DKIM", dkim],
    ["DMARC", dmarc],
  ]
    .map(([name, verdict]) => `${name} ${verdict ?? t("not checked")}`)
    .join(", ");

const Badges = ({ email: { authentication, outside_sender, automatic } }: { email: Email }) => (
  <>
    {authentication && authentication.dmarc !== "pass" && (
      <span title={t("Your mail server could not confirm that this mail comes from the address it names (DMARC).")}>
        <Badge tone="warning">{t("Sender not verified")}</Badge>
      </span>
    )}
    {outside_sender && (
      <span title={t("This address was not From, To or Cc of an earlier mail of this conversation.")}>
        <Badge tone="warning">{t("Outside sender")}</Badge>
      </span>
    )}
    {automatic && (
      <span title={t("Sent by a program: a list, a vacation notice or a report. It reopens nothing.")}>
        <Badge>{t("Automatic")}</Badge>
      </span>
    )}
  </>
);
