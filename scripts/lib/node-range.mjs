/**
 * Whether an `engines.node` range admits a version: the npm range grammar as far as packages use it there (`||`, blanks,
 * `^ ~ >= > <= < =`, x-ranges, hyphens). A form it does not know throws, so that nothing passes unread.
 *
 * @param {string} range
 * @param {string} version
 */
export function admits(range, version) {
  const wanted = version.split(".").map(Number);
  return range.split("||").some((part) => comparators(part.trim()).every(({ low, high }) => within(wanted, low, high)));
}

function comparators(text) {
  const hyphen = /^(\S+)\s+-\s+(\S+)$/.exec(text);
  const normal = hyphen ? `>=${hyphen[1]} <=${hyphen[2]}` : text.replace(/([<>=^~]+)\s+/g, "$1");
  return normal
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(bounds);
}

/** Half-open bounds `[low, high)`; a missing one is open. */
function bounds(comparator) {
  const match = /^(\^|~>?|>=|<=|>|<|=)?v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:-[\w.-]+)?$/.exec(
    comparator,
  );
  if (!match) throw new Error(`cannot read the version range "${comparator}"`);
  const given = match.slice(2, 5).map((part) => (part === undefined || /[xX*]/.test(part) ? undefined : Number(part)));
  const low = given.map((part) => part ?? 0);
  const precise = given.indexOf(undefined);
  const places = precise === -1 ? 3 : precise;
  const above = next(low, places - 1);
  switch (match[1]) {
    case ">=":
      return { low };
    case ">":
      return { low: above };
    case "<":
      return { high: low };
    case "<=":
      return { high: above };
    case "^":
      return { low, high: next(low, Math.min(firstNonZero(low), places - 1)) };
    case "~":
    case "~>":
      return { low, high: next(low, Math.min(1, places - 1)) };
    default:
      return { low, high: above };
  }
}

/** The first version after all that share `version` up to `place`; nothing comes after all versions (place -1). */
function next(version, place) {
  if (place < 0) return undefined;
  return version.map((part, index) => (index < place ? part : index === place ? part + 1 : 0));
}

function firstNonZero(version) {
  const index = version.findIndex((part) => part > 0);
  return index === -1 ? 2 : index;
}

function within(version, low, high) {
  return (!low || compare(version, low) >= 0) && (!high || compare(version, high) < 0);
}

function compare(left, right) {
  for (let index = 0; index < 3; index += 1) {
    if (left[index] !== right[index]) return left[index] - right[index];
  }
  return 0;
}
