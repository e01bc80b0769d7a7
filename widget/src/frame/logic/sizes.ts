/** `1.4 MB` as people read it. */
export function sizeText(bytes: number, language: string): string {
  const [value, unit] =
    bytes < 1_000 ? [bytes, "byte"] : bytes < 1_000_000 ? [bytes / 1_000, "kilobyte"] : [bytes / 1_000_000, "megabyte"];
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit: unit as string,
    unitDisplay: "short",
    maximumFractionDigits: 1,
  }).format(value as number);
}
