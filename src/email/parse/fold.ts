/** A text in two parts, which together are the whole text. */
interface Folded {
  body: string;
  quoted: string | null;
}

const VERB =
  /wrote|writes|schrieb|schreef|geschreven|skrev|écrit|escribió|escreveu|scritto|scrisse|kirjoitti|napisa|pisze|napsal|írta|a scris|yazdı|написа|пише|写道|寫道|のメール|書きました|작성|đã viết|menulis|έγραψε|כתב|كتب/iu;
const ADDRESS = /[<(][^<>()\s]{1,320}@[^<>()\s]{1,255}[>)]/;
const TIME = /\d{1,2}[:.]\d{2}/;
const ENDS = /[:\uff1a]\s*$|(?:wrote|のメール|작성|写道|寫道)\s*$/iu;
/** Of an attribution that takes several lines: without it, the line of a reply above it would be part of it. */
const BEGINS =
  /^>?\s*(?:on|le|am|el|em|il|op|den|dnia|dne|w dniu|wiadomość|a|kl|vào|pada|tarih|с|в|今|在|于|於|\d{1,4}[./\s年-]|".+"|.{1,80}<[^<>\s]+@[^<>\s]+>)/iu;
const ORIGINAL =
  /^\s*[-_]{2,}\s*(?:original message|original appointment|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|message d'origine|message original|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|doorgestuurd bericht|ursprungligt meddelande|oprindelig meddelelse|opprinnelig melding|alkuperäinen viesti|wiadomość oryginalna|původní zpráva|eredeti üzenet|исходное сообщение|пересылаемое сообщение|原始邮件|原始郵件|元のメッセージ|원본 메시지).{0,40}$/iu;
const FROM =
  /^[\s*>]*(?:from|von|de|da|van|från|fra|lähettäjä|od|feladó|от|发件人|寄件者|差出人|보낸 사람|gönderen)\s*[::]\s*\S/iu;
const SENT =
  /^[\s*>]*(?:sent|date|gesendet|datum|envoyé|enviado(?: el| em)?|fecha|data|inviato|verzonden|skickat|sendt|dato|lähetetty|wysłano|odesláno|elküldve|отправлено|дата|发送时间|寄件日期|送信日時|日付|보낸 날짜|gönderildi|tarih)\s*[::]\s*\S/iu;
const SIGNATURE = /^--\s?$/;
const PHONE =
  /^\s*(?:sent from (?:my|outlook|mail|yahoo)|von meinem .{1,30} gesendet|gesendet (?:von|mit) |envoyé (?:de|depuis) mon|enviado (?:desde|do) (?:mi|meu)|inviato da(?:l mio)? |verzonden vanaf|skickat från min|sendt fra min|lähetetty |wysłane z |odesláno z |отправлено с |从我的.{1,10}发送|從我的.{1,10}傳送|iphoneから送信|나의 .{1,20}에서 보냄|.{1,30}(?:gönderildi|küldve)$).{0,80}$/iu;
const QUOTED = /^\s{0,3}>/;
const LINES_MAX = 20_000;
const LINE_CHARS_MAX = 500;

/** Where the quoted history or the signature of a text begins. Nothing is folded where nothing would be left. */
export function fold(text: string): Folded {
  const lines = text.split("\n", LINES_MAX);
  const quote = quoteStart(lines) ?? lines.length;
  const start = signatureStart(lines.slice(0, quote)) ?? quote;
  if (start >= lines.length) return { body: text, quoted: null };
  const body = lines.slice(0, start).join("\n").trimEnd();
  return body.trim() === "" ? { body: text, quoted: null } : { body, quoted: text.slice(body.length) };
}

const short = (line: string | undefined): string => (line ?? "").slice(0, LINE_CHARS_MAX);

/** The first line from which on everything is history. Text between quotes is a reply to them: nothing is folded there. */
function quoteStart(lines: readonly string[]): number | null {
  const isHistory = historyOf(lines);
  for (let index = 0; index < lines.length; index++) {
    if (ORIGINAL.test(short(lines[index])) || isHeaderBlock(lines, index)) return index;
    const length = attributionLength(lines, index);
    if (length > 0 && isHistory(index + length)) return index;
    if (QUOTED.test(lines[index] ?? "") && isHistory(index)) return index;
  }
  return null;
}

/** How many lines an attribution such as "On Monday, Ada wrote:" takes; 0: there is none. */
function attributionLength(lines: readonly string[], index: number): number {
  let joined = "";
  for (let length = 1; length <= 3; length++) {
    const line = short(lines[index + length - 1]).trim();
    if (line === "" || QUOTED.test(line)) return 0;
    joined = `${joined} ${line}`.trim();
    if (isAttribution(joined) && (length === 1 || BEGINS.test(joined))) return length;
  }
  return 0;
}

/** Word orders differ: German has the name after the verb, Russian may have no verb. What follows must be quoted anyway. */
const isAttribution = (line: string): boolean =>
  ENDS.test(line) &&
  ((VERB.test(line) && (/\d/.test(line) || ADDRESS.test(line))) || (ADDRESS.test(line) && TIME.test(line)));

/**
 * Whether from a line on there are only quoted and empty lines, and perhaps a signature. The lines are looked through once
 * for each way in which they may end, not once for each line that is asked about.
 */
function historyOf(lines: readonly string[]): (index: number) => boolean {
  const dashes = lines.findLastIndex((line) => SIGNATURE.test(line));
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const phone = PHONE.test(short(lines[last])) ? last : -1;
  const [beforeDashes, beforePhone, all] = [dashes, phone, lines.length].map((end) => {
    const before = lines.slice(0, Math.max(0, end));
    return {
      quoted: before.findLastIndex((line) => QUOTED.test(line)),
      written: before.findLastIndex((line) => !QUOTED.test(line) && line.trim() !== ""),
    };
  });
  return (index) => {
    const found = index <= dashes ? beforeDashes : index < phone ? beforePhone : all;
    return found !== undefined && found.written < index && found.quoted >= index;
  };
}

/** The headers that Outlook writes above what is replied to. */
function isHeaderBlock(lines: readonly string[], index: number): boolean {
  if (!FROM.test(short(lines[index]))) return false;
  return lines.slice(index + 1, index + 4).some((line) => SENT.test(short(line)));
}

function signatureStart(lines: readonly string[]): number | null {
  const dashes = lines.findLastIndex((line) => SIGNATURE.test(line));
  if (dashes !== -1) return dashes;
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return last > 0 && PHONE.test(short(lines[last])) ? last : null;
}
