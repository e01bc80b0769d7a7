/**
 * Characters that act on what shows them instead of being shown: those of terminals (C0, C1), line separators, and those
 * that change the direction of the text around them. Marks inside words (zero-width joiners) are not among them.
 */
const CLASS = "\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069";

/** For schemas: a name on one line. NUL is refused in every text, with a sentence of its own. */
export const NAME_PATTERN = `^[^${CLASS.replace("0000", "0001")}]*$`;
export const NAME_PROBLEM = "must not contain control characters.";

const isName = new RegExp(`^[^${CLASS}]*$`);
const ANY = new RegExp(`[${CLASS}]`, "g");
// A text of several lines keeps its line breaks and tabs.
const ANY_IN_TEXT = new RegExp(`(?![\\n\\t])[${CLASS}]`, "g");

export const hasControlCharacters = (text: string): boolean => !isName.test(text);

/** For a name that another system chose: without them. */
export const withoutControlCharacters = (text: string): string => text.replace(ANY, " ").replace(/\s+/g, " ").trim();

/** As a terminal may show it; inside JSON it is still the same JSON. */
export const escapeControlCharacters = (text: string): string => text.replace(ANY_IN_TEXT, escaped);

/** The same for one cell of a table, which has one line. */
export const escapeInLine = (text: string): string => text.replace(ANY, escaped);

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
