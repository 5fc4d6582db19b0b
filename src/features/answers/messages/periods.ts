/** Returns the tax years that a question mentions, in ascending order. Empty if it mentions none. */
export function parseYears(question: string, thisYear: number, active: readonly number[]): readonly number[] {
  const text = question
    .toLowerCase()
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[‐‑–—]/g, '-');
  const years = ranges(text, thisYear, active) ?? new Set([...relative(text, thisYear), ...findNamedYears(text)]);
  return [...years].sort((a, b) => a - b).slice(-yearsMax);
}

const yearsMax = 20;
const year = String.raw`((?:19|20)\d\d)`;
const allYears =
  /\b(all|each|every|any|per|by|across|over the|which|what|how many)\s+(?:of\s+)?(?:my\s+|the\s+)?(?:tax\s+)?years?\b|\b(all[- ]time|lifetime|ever|overall|in total)\b/;
const range = new RegExp(String.raw`\b${year}\s*(?:-|to|through|thru|until|and)\s*${year}\b`);
const since = new RegExp(
  String.raw`\b(?:since|starting(?: in| from)?)\s+${year}\b|\bfrom\s+${year}\s+(?:on|onwards?|forward|till now|to now|until now)\b`,
);
const before = new RegExp(String.raw`\b(?:before|until|up to|prior to)\s+${year}\b`);
const after = new RegExp(String.raw`\bafter\s+${year}\b`);
const lastSome =
  /\b(?:last|past|previous)\s+(\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)\s+(?:tax\s+)?years\b/;
const someAgo = /\b(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|a)\s+years?\s+ago\b/;
const smallNumbers = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/**
 * Returns the years of a phrase for several years. If the question contains one, single years in the question do not
 * count.
 */
function ranges(text: string, thisYear: number, active: readonly number[]): Set<number> | undefined {
  const between = range.exec(text);
  // "2021 and 2023" means two years. "between 2021 and 2023" means three.
  if (between !== null && (!between[0].includes('and') || text.includes('between')))
    return run(Number(between[1]), Number(between[2]));
  const from = since.exec(text);
  if (from !== null) return run(Number(from[1] ?? from[2]), Math.max(thisYear, Number(from[1] ?? from[2])));
  const later = after.exec(text);
  if (later !== null) return run(Number(later[1]) + 1, Math.max(thisYear, Number(later[1]) + 1));
  const earlier = before.exec(text);
  if (earlier !== null) return new Set(active.filter((each) => each < Number(earlier[1])));
  const last = lastSome.exec(text);
  if (last !== null) return run(thisYear - smallNumber(last[1]) + 1, thisYear);
  return allYears.test(text) && findNamedYears(text).length === 0 ? new Set(active) : undefined;
}

function relative(text: string, thisYear: number): number[] {
  const years: number[] = [];
  const ago = someAgo.exec(text);
  if (ago !== null) years.push(thisYear - smallNumber(ago[1]));
  if (/\byear before last\b/.test(text)) years.push(thisYear - 2);
  else if (/\b(last|previous|prior|past)\s+(?:calendar\s+|tax\s+)?year\b/.test(text)) years.push(thisYear - 1);
  if (/\b(this|current|present)\s+(?:calendar\s+|tax\s+)?year\b|\bytd\b|\byear[- ]to[- ]date\b|\bso far\b/.test(text))
    years.push(thisYear);
  if (/\bnext\s+(?:tax\s+)?year\b/.test(text)) years.push(thisYear + 1);
  return years;
}

/**
 * Returns single years such as `2025`, `'25`, `TY25`, and the years in `2025-03-01` and `03/01/2025`. Ignores `$2025`,
 * `2000 shares` and `20250`.
 */
function findNamedYears(text: string): number[] {
  const full = [
    ...text.matchAll(
      /(?<![\d$.,])((?:19|20)\d\d)(?!\d|[.,]\d|\s*(?:shares?|units?|coins?|lots?|dollars?|usd|contracts?)\b)/g,
    ),
  ].map((match) => Number(match[1]));
  const short = [...text.matchAll(/(?:'|\b[tf]y\s?)(\d\d)\b/g)].map((match) => 2000 + Number(match[1]));
  return [...full, ...short];
}

function run(first: number, last: number): Set<number> {
  const [low, high] = first <= last ? [first, last] : [last, first];
  return new Set(Array.from({ length: Math.min(high - low + 1, yearsMax) }, (_, index) => high - index));
}

function smallNumber(text: string | undefined): number {
  const number = text === 'a' ? 1 : smallNumbers.indexOf(text ?? '');
  return number > 0 ? number : Math.min(Number(text) || 1, yearsMax);
}
