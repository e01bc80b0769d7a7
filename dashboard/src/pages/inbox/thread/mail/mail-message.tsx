import { type ReactNode, useState } from "react";
import { useMail } from "../../../../api/mail.ts";
import { linkOf, type Message } from "../../../../api/messages.ts";
import { useSession } from "../../../../api/session.ts";
import { Button } from "../../../../components/button.tsx";
import { Notice } from "../../../../components/notice.tsx";
import { rich } from "../../../../lib/rich.ts";
import { t } from "../../../../lib/texts.ts";
import css from "./mail.module.css";
import { MailDelivery } from "./mail-delivery.tsx";
import { MailFrame } from "./mail-frame.tsx";
import { MailHead } from "./mail-head.tsx";
import { hasRemoteImages, isDesigned } from "./mail-html.ts";
import { showImagesOf, showsImagesOf } from "./trusted-senders.ts";

interface MailMessageProps {
  message: Message;
  /** Its text, without what is quoted. */
  text: ReactNode;
}

/** What a message that is mail shows beyond its text. */
export function MailMessage({ message, text }: MailMessageProps) {
  const { email, direction, delivery } = message;
  if (!email) return text;
  return (
    <>
      <MailHead message={message} />
      {email.parse_error !== null && (
        <Notice tone="warning" title={t("This mail could not be read")}>
          {email.parse_error}{" "}
          {rich("Nothing of it is lost: {original}.", {
            original: <Original message={message}>{t("download it as it came")}</Original>,
          })}
        </Notice>
      )}
      {direction === "in" && email.has_html ? (
        <HtmlOrText message={message} text={text} />
      ) : (
        <TextAndQuoted message={message} text={text} />
      )}
      {email.truncated && (
        <p className={css.hint}>
          {t("Only a part of this long mail is shown here.")}{" "}
          <Original message={message}>{t("Download the whole mail")}</Original>
        </p>
      )}
      {delivery && <MailDelivery message={message} delivery={delivery} />}
    </>
  );
}

export const Original = ({ message: { email }, children }: { message: Message; children: ReactNode }) => (
  <a href={linkOf({ file_id: 0, url: email?.raw_url ?? "" })} download>
    {children}
  </a>
);

function TextAndQuoted({ message: { quoted }, text }: MailMessageProps) {
  return (
    <>
      {text}
      {quoted && (
        <details className={css.quoted}>
          <summary aria-label={t("Quoted text")} title={t("Quoted text")}>
            …
          </summary>
          <p className={css.quotedText} dir="auto">
            {quoted.trim()}
          </p>
        </details>
      )}
    </>
  );
}

/** By message: what a person has chosen to see stays when the row is scrolled away and back. */
const chosen = new Map<number, { isHtml?: boolean; images?: boolean }>();

/** Mail whose look matters is shown as its sender made it, other mail as text. */
function HtmlOrText({ message, text }: MailMessageProps) {
  const userId = useSession().user.id;
  const sender = senderOf(message);
  const [choice, setChoice] = useState(chosen.get(message.id) ?? {});
  const choose = (part: typeof choice) => {
    chosen.set(message.id, { ...choice, ...part });
    setChoice({ ...choice, ...part });
  };
  const isTrusted = sender?.isVerified === true && showsImagesOf(userId, sender.address);
  const plain = useMail(message, { images: false, enabled: true });
  const hasRemote = plain.data?.html ? hasRemoteImages(plain.data.html) : false;
  const wantsImages = hasRemote && (choice.images ?? isTrusted);
  const withImages = useMail(message, { images: true, enabled: wantsImages });
  const html = (wantsImages && withImages.data?.html) || plain.data?.html || null;
  const isHtml = html !== null && (choice.isHtml ?? isDesigned(html));
  return (
    <>
      {isHtml ? (
        <MailFrame
          key={String(wantsImages)}
          html={html}
          quoted={message.quoted}
          title={message.email?.subject ?? t("Mail")}
        />
      ) : (
        <TextAndQuoted message={message} text={text} />
      )}
      {html !== null && (
        <div className={css.tools}>
          <Button size="small" variant="ghost" onClick={() => choose({ isHtml: !isHtml })}>
            {isHtml ? t("Show as text") : t("Show as HTML")}
          </Button>
          {isHtml && hasRemote && !wantsImages && (
            <Button size="small" variant="ghost" onClick={() => choose({ images: true })}>
              {t("Show images")}
            </Button>
          )}
          {isHtml && wantsImages && !isTrusted && sender?.isVerified && (
            <Button size="small" variant="ghost" onClick={() => rememberSender(userId, sender.address, choose)}>
              {t("Always show images of {address}", { address: sender.address })}
            </Button>
          )}
        </div>
      )}
      {wantsImages && withImages.error && <Notice tone="warning">{withImages.error.message}</Notice>}
    </>
  );
}

/** Whose name anybody can write is not remembered: their pictures would be loaded for everybody. */
function senderOf({ email }: Message): { address: string; isVerified: boolean } | null {
  if (!email?.from) return null;
  return { address: email.from.address.toLowerCase(), isVerified: email.authentication?.dmarc === "pass" };
}

function rememberSender(userId: number, address: string, choose: (part: { images: boolean }) => void): void {
  showImagesOf(userId, address);
  choose({ images: true });
}
