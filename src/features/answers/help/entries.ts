import accounts from './entries/accounts.md' with { type: 'text' };
import basisAndLots from './entries/basis-and-lots.md' with { type: 'text' };
import deadlines from './entries/deadlines.md' with { type: 'text' };
import digitalAssets from './entries/digital-assets.md' with { type: 'text' };
import forms from './entries/forms.md' with { type: 'text' };
import holding from './entries/holding.md' with { type: 'text' };
import howTo from './entries/how-to.md' with { type: 'text' };
import lossesAndRates from './entries/losses-and-rates.md' with { type: 'text' };
import lotbook from './entries/lotbook.md' with { type: 'text' };
import optionsAndShorts from './entries/options-and-shorts.md' with { type: 'text' };
import stocksAndBonds from './entries/stocks-and-bonds.md' with { type: 'text' };
import washSales from './entries/wash-sales.md' with { type: 'text' };

export const helpKinds = ['term', 'rule', 'how-to', 'deadline'] as const;
type HelpKind = (typeof helpKinds)[number];

/** One entry of the help center. */
export interface HelpEntry {
  /** Its address: `/help/wash-sale`. */
  readonly id: string;
  readonly title: string;
  readonly kind: HelpKind;
  /** Other words that people search for. */
  readonly keywords: readonly string[];
  /** The law, the IRS publication or `Lotbook` that the text is taken from. */
  readonly authority: readonly Authority[];
  /** The ids of related entries. */
  readonly see: readonly string[];
  /** Markdown: paragraphs, numbered steps and bold names of pages. */
  readonly text: string;
}

interface Authority {
  readonly title: string;
  /** Its public page, or null if there is no stable address. */
  readonly href: string | null;
}

/**
 * Parses a file of entries. Each entry is a block of front matter between two lines of dashes, followed by its text.
 * Throws for an incomplete entry, because the files are part of the program.
 */
export function parseEntries(file: string): HelpEntry[] {
  const blocks = file.split(/^---$/m).slice(1);
  return blocks.flatMap((matter, at) => (at % 2 === 0 ? [toEntry(matter, blocks[at + 1] ?? '')] : []));
}

function toEntry(matter: string, body: string): HelpEntry {
  const members = new Map(matter.split('\n').flatMap((line) => [splitMember(line)].filter((each) => each !== null)));
  const member = (name: string): string => {
    const value = members.get(name);
    if (value === undefined) throw new Error(`A help entry has no ${name}: ${matter.trim()}`);
    return value;
  };
  const kind = helpKinds.find((each) => each === member('kind'));
  if (kind === undefined) throw new Error(`${member('id')} has the unknown kind ${member('kind')}.`);
  return {
    id: member('id'),
    title: member('title'),
    kind,
    keywords: listOf(member('keywords'), ','),
    authority: listOf(member('authority'), ';').map(toAuthority),
    see: listOf(members.get('see') ?? '', ','),
    text: body.trim(),
  };
}

function splitMember(line: string): readonly [string, string] | null {
  const [, name, value] = /^(\w+): (.*)$/.exec(line) ?? [];
  return name === undefined || value === undefined ? null : [name, value.trim()];
}

function listOf(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** Public pages of authorities, by the form of their citation. */
const pages: readonly (readonly [citation: RegExp, href: (part: string) => string])[] = [
  [/^IRC (\d+)/, (section) => `https://www.law.cornell.edu/uscode/text/26/${section}`],
  [/^26 CFR (\d+\.\d+-\d+)/, (section) => `https://www.ecfr.gov/current/title-26/section-${section}`],
  [/^17 CFR (240\.15c6-1)$/, (section) => `https://www.ecfr.gov/current/title-17/section-${section}`],
  [/^Form (8949|1099-DA) instructions$/, (form) => irs(`instructions/i${form.replace('-', '').toLowerCase()}`)],
  [/^Schedule D instructions$/, () => irs('instructions/i1040sd')],
  [/^Pub\. (\d+)$/, (number) => irs(`publications/p${number}`)],
  [/^IRS, Understanding your CP2000/, () => irs('individuals/understanding-your-cp2000-series-notice')],
];

function irs(path: string): string {
  return `https://www.irs.gov/${path}`;
}

function toAuthority(title: string): Authority {
  for (const [citation, href] of pages) {
    const found = citation.exec(title);
    if (found !== null) return { title, href: href(found[1] ?? '') };
  }
  return { title, href: null };
}

/** All entries of the help center, by title. */
export const helpEntries: readonly HelpEntry[] = [
  forms,
  holding,
  basisAndLots,
  washSales,
  lossesAndRates,
  digitalAssets,
  optionsAndShorts,
  stocksAndBonds,
  accounts,
  deadlines,
  howTo,
  lotbook,
]
  .flatMap(parseEntries)
  .sort((a, b) => (a.title.toLowerCase() < b.title.toLowerCase() ? -1 : 1));

const byId: ReadonlyMap<string, HelpEntry> = new Map(helpEntries.map((entry) => [entry.id, entry]));

export function findHelpEntry(id: string): HelpEntry | undefined {
  return byId.get(id);
}
