/** Passwords shorter than this are refused for their length (`PASSWORD_CHARS_MIN` in src/accounts/passwords.ts). */
const CHARS_MIN = 10;

/**
 * The 49,000 most common passwords of zxcvbn-ts, of which only those matter that are long enough to be chosen at all:
 * about 1,500, instead of a package of 2 MB at run time.
 */
export async function renderCommonPasswords() {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const listed = [
    ...new Set(dictionary["passwords-common"].map((password) => password.normalize("NFKC").toLowerCase())),
  ]
    .filter((password) => [...password].length >= CHARS_MIN && !/\s/.test(password))
    .sort();
  return [
    "// Generated from @zxcvbn-ts/language-common (MIT) by `npm run generate`; not edited by hand.",
    "",
    "/** The common passwords that are not too short already, in lower case. */",
    `export const COMMON_PASSWORDS: readonly string[] = ${JSON.stringify(listed.join(" "))}.split(" ");`,
    "",
  ].join("\n");
}
