type Rgb = readonly [number, number, number];

/** WCAG 2.2, 1.4.3: text; 1.4.11: the parts of a control. */
const TEXT_RATIO_MIN = 4.5;

export function parseColor(color: string): Rgb | null {
  const digits = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color);
  if (!digits) return null;
  return [1, 2, 3].map((index) => Number.parseInt(digits[index] as string, 16)) as unknown as Rgb;
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrastRatio(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

/** Black or white, whichever is easier to read on this colour: one of them always reaches 4.5 : 1. */
export function textOn(color: string): "#ffffff" | "#000000" {
  const rgb = parseColor(color) ?? BLACK;
  return contrastRatio(rgb, WHITE) >= contrastRatio(rgb, BLACK) ? "#ffffff" : "#000000";
}

/** The colour itself where it is readable as text on this background, else moved towards black or white until it is. */
export function readableOn(color: string, background: string): string {
  const behind = parseColor(background) ?? WHITE;
  const target = luminance(behind) > 0.18 ? BLACK : WHITE;
  let rgb = parseColor(color) ?? target;
  for (let step = 0; step < 20 && contrastRatio(rgb, behind) < TEXT_RATIO_MIN; step += 1)
    rgb = rgb.map((part, index) => Math.round(part + ((target[index] as number) - part) * 0.15)) as unknown as Rgb;
  return `#${rgb.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
