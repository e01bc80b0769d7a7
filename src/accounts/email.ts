const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*$/;
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
export const EMAIL_CHARS_MAX = 254;

/**
 * The one spelling of an address, and the only rule for it: the database stores and compares this text as it is. What
 * looks the same is the same (NFKC), what cannot be seen is removed, and upper case is not distinguished. PostgreSQL's
 * lower() is not used: it folds `İ` differently from JavaScript, and two rules let one person count as two.
 */
export function normaliseEmail(text: string): string {
  const visible = text.normalize("NFKC").replace(INVISIBLE, "").trim();
  // Lower case can decompose (`İ` becomes `i` and a dot): the second round composes it again.
  return visible.toLowerCase().normalize("NFKC");
}

/** Sentences about what is not an e-mail address. Only a message to it can show whether it exists. */
export function emailProblems(text: string): string[] {
  const email = normaliseEmail(text);
  return email.length <= EMAIL_CHARS_MAX && EMAIL.test(email) ? [] : ["email must be an e-mail address."];
}

/**
 * Whether this is the one spelling already, save for upper case of A to Z. Other spellings are other addresses to a mail
 * server: who has shown that one of them is theirs has not shown it for the normalised one.
 */
export const isOwnSpelling = (text: string): boolean =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) === normaliseEmail(text);
