import type { UploadedFile } from "@parley/client";

/** What a composer holds. */
export interface DraftContent {
  text: string;
  isNote: boolean;
  files: readonly Pick<UploadedFile, "id" | "name" | "size_bytes">[];
}

export const isBlank = ({ text, files }: DraftContent): boolean => text.trim() === "" && files.length === 0;

/** A note among them makes it a note: what is meant for colleagues must not reach the contact. */
export const joined = (first: DraftContent, second: DraftContent): DraftContent => ({
  text: [first.text, second.text].filter((part) => part.trim() !== "").join("\n\n"),
  isNote: first.isNote || second.isNote,
  files: [...first.files, ...second.files],
});

/** The same where the kind of a blank one, which is only the open tab of its composer, does not count. */
export function joinedUnlessBlank(first: DraftContent, second: DraftContent): DraftContent {
  if (isBlank(first)) return second;
  return isBlank(second) ? first : joined(first, second);
}
