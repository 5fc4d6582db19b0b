import type { Day } from '../../base/day.ts';
import { type Cents, formatDollars, zeroCents } from '../../base/decimal.ts';
import { invalidMember } from '../../base/refusal.ts';
import type { Line } from '../../engine/model.ts';
import { addCents } from '../figures.ts';
import { buildFormDesk, type DeskBooks } from '../reconciliation/desk.ts';
import { computeLinePart, type DeskFigures, type DeskPart } from '../reconciliation/parts.ts';

/**
 * Compares the lines of a CP2000 notice with the sales of the year. A line of the notice is matched without a question
 * only if exactly one sale or total fits it. Every other line stays open, with the sales that could be meant, until the
 * taxpayer names one or states that none is meant.
 */

/** A CP2000 notice as the taxpayer enters it. */
export interface TaxNotice {
  readonly noticeDate: Day;
  readonly responseDue: Day;
  /** The taxpayer's address for the letter, with line breaks. Empty if it is written by hand. */
  readonly address: string;
  readonly lines: readonly NoticeLine[];
}

/** One sale, or total of sales, that the notice lists. Amounts are in cents, as the notice prints them. */
export interface NoticeLine {
  readonly payer: string;
  /** The security or property. Empty if the notice names only the payer. */
  readonly description: string;
  readonly proceeds: Cents;
  /** The cost or other basis that the notice counts. Null if it shows none, which it counts as zero. */
  readonly basis: Cents | null;
  /** The id of a candidate, `none` if no sale of the taxpayer is meant, or null to match it if only one fits. */
  readonly sale: string | null;
  /** Whether the taxpayer agrees with a line for which none is meant. Null if that is undecided. */
  readonly agrees: boolean | null;
}

export const noSale = 'none';

/** A sale of the year, or a total that a broker may have reported, with its lines of Form 8949. */
export interface NoticeCandidate {
  /** Stable for the same books. */
  readonly id: string;
  readonly kind: 'sale' | 'asset' | 'account';
  readonly account: string;
  /** Empty for the total of an account. */
  readonly asset: string;
  /** Null for a total. */
  readonly on: Day | null;
  /** The proceeds on the Form 1099 in the books. Null if they contain no row of it. */
  readonly shown: Cents | null;
  readonly ours: DeskFigures;
  readonly parts: readonly DeskPart[];
  /** The reason why the Form 1099 and the lines differ, or why there is no line. Empty if neither. */
  readonly reason: string;
}

/** A line of the notice with its sale and the difference. */
export interface NoticeMatch {
  readonly line: NoticeLine;
  /** `open` must be answered. `none` was answered with no sale. */
  readonly state: 'matched' | 'open' | 'none';
  /** Set if `state` is `matched`. */
  readonly candidate: NoticeCandidate | null;
  /** The sales to choose from, the likeliest first. */
  readonly candidates: readonly NoticeCandidate[];
  /** Why the line is open, or why the sale was chosen. */
  readonly reason: string;
  /** The income that the notice counts: proceeds less the basis that it shows. */
  readonly proposed: Cents;
  /** Our gain less the income that the notice counts. Null without a match. */
  readonly difference: Cents | null;
  readonly position: NoticePosition;
}

export const noticePositions = ['agree', 'disagree', 'undecided'] as const;
export type NoticePosition = (typeof noticePositions)[number];

export interface NoticeComparison {
  readonly matches: readonly NoticeMatch[];
  readonly totals: {
    /** The income that the notice counts on all of its lines. */
    readonly proposed: Cents;
    /** The same, on the lines with a match. */
    readonly proposedMatched: Cents;
    /** Our figures for the lines with a match. */
    readonly ours: DeskFigures;
    /** Proceeds of the lines that are still open. */
    readonly open: Cents;
    readonly openCount: number;
  };
}

/** Refuses a choice that is not a candidate of its line, and a sale that is chosen for two lines. */
export function compareNotice(books: DeskBooks, notice: TaxNotice): NoticeComparison {
  const sales = new YearSales(listCandidates(books));
  const chosen = readChoices(notice, sales.candidates);
  const taken = new Set([...chosen.values()].flatMap(({ members }) => [...members]));
  const fitting = notice.lines.map((line) => sales.findFitting(line));
  const matches = notice.lines.map((line, index): NoticeMatch => {
    if (line.sale === noSale) return withoutSale(line, sales);
    const answer = chosen.get(index);
    if (answer !== undefined) return matchLine(line, answer, sales, 'You named this sale.');
    const fits = fitting[index] ?? [];
    const [only] = fits;
    if (only === undefined) return leaveOpen(line, sales, 'No sale has these proceeds under this name.');
    if (fits.length > 1) return leaveOpen(line, sales, `${countFitting(fits.length)} sales fit this line.`);
    const isShared = fitting.some(
      (others, other) => other !== index && others.some(({ members }) => !members.isDisjointFrom(only.members)),
    );
    if (isShared || !only.members.isDisjointFrom(taken))
      return leaveOpen(line, sales, 'Another line of the notice fits the same sale.');
    return matchLine(line, only, sales, 'It is the only sale with these proceeds under this name.');
  });
  return { matches, totals: sumMatches(matches) };
}

function countFitting(count: number): string {
  return count > candidatesMax ? 'Many' : String(count);
}

function readChoices({ lines }: TaxNotice, candidates: readonly SaleCandidate[]): ReadonlyMap<number, SaleCandidate> {
  const chosen = new Map<number, SaleCandidate>();
  const taken = new Set<string>();
  for (const [index, { sale }] of lines.entries()) {
    if (sale === null || sale === noSale) continue;
    const candidate = candidates.find(({ id }) => id === sale);
    const pointer = `/lines/${index}/sale`;
    if (candidate === undefined) throw invalidMember(pointer, 'This is not a sale of the year. Choose one again.');
    if (!candidate.members.isDisjointFrom(taken))
      throw invalidMember(pointer, 'This sale is already named for another line of the notice.');
    for (const member of candidate.members) taken.add(member);
    chosen.set(index, candidate);
  }
  return chosen;
}

/** A candidate with the sales that it adds up. */
interface SaleCandidate extends NoticeCandidate {
  /** The ids of the form rows and sales. */
  readonly members: ReadonlySet<string>;
  /** The words of every name of the asset: in the transactions, on the form, and in column (a). */
  readonly names: readonly (readonly string[])[];
}

/** Lists all sales of the year with their form rows, and the totals by asset and by account. */
function listCandidates(books: DeskBooks): readonly SaleCandidate[] {
  const { entries } = buildFormDesk(books);
  const onForms = entries
    .filter(({ kind }) => kind !== 'replaced' && kind !== 'supplement')
    .map(({ id, account, asset, on, shown, parts, kind, reason }): SaleCandidate => {
      const figures = { shown: shown?.proceeds ?? null, reason: kind === 'matched' || shown === null ? '' : reason };
      return { ...buildCandidate('sale', account, asset, parts), id, on, ...figures, members: new Set([id]) };
    });
  const covered = new Set(entries.flatMap(({ parts }) => parts.map(({ line }) => line)));
  const rest = Map.groupBy(
    books.lines.filter((line) => !covered.has(line)),
    ({ disposal }) => disposal.saleId,
  );
  const others = [...rest].flatMap(([id, lines]): SaleCandidate[] => {
    const [first] = lines;
    if (first === undefined) return [];
    const { account, asset, sold } = first.disposal;
    return [{ ...buildCandidate('sale', account, asset, lines.map(wholeLine)), id, on: sold, members: new Set([id]) }];
  });
  const sales = [...onForms, ...others];
  return [...sales, ...listTotals(sales)];
}

function wholeLine(line: Line): DeskPart {
  return computeLinePart(line, 0n, line.disposal.quantity);
}

type Subject = Omit<SaleCandidate, 'id' | 'on' | 'members'>;

function buildCandidate(
  kind: SaleCandidate['kind'],
  account: string,
  asset: string,
  parts: readonly DeskPart[],
): Subject {
  const names = [asset, ...parts.flatMap(({ line }) => [line.disposal.asset, line.disposal.description ?? ''])];
  return {
    ...{ kind, account, asset, parts, shown: null, reason: '', ours: sumParts(parts) },
    names: [...new Set(names)].map(wordsOf).filter((words) => words.length > 0),
  };
}

/** A broker may report one total for an asset, or for the account. A total of one sale is that sale. */
function listTotals(sales: readonly SaleCandidate[]): SaleCandidate[] {
  const total = (kind: 'asset' | 'account', group: readonly SaleCandidate[]): SaleCandidate[] => {
    const [first] = group;
    if (first === undefined || group.length < 2) return [];
    const { account } = first;
    const asset = kind === 'asset' ? first.asset : '';
    const subject = buildCandidate(
      kind,
      account,
      asset,
      group.flatMap(({ parts }) => parts),
    );
    const isOnForm = group.every(({ shown }) => shown !== null);
    return [
      {
        ...subject,
        id: kind === 'asset' ? `asset/${account}/${asset}` : `account/${account}`,
        on: null,
        shown: isOnForm ? addCents(group.flatMap(({ shown }) => shown ?? [])) : null,
        members: new Set(group.flatMap(({ members }) => [...members])),
        names: kind === 'asset' ? subject.names : [],
      },
    ];
  };
  const byAccount = [...Map.groupBy(sales, ({ account }) => account).values()];
  return byAccount.flatMap((own) => {
    const byAsset = [...Map.groupBy(own, ({ asset }) => asset).values()];
    const assets = byAsset.flatMap((group) => total('asset', group));
    return byAsset.length < 2 ? assets : [...assets, ...total('account', own)];
  });
}

function sumParts(parts: readonly DeskPart[]): DeskFigures {
  const sum = (of: (part: DeskPart) => Cents): Cents => addCents(parts.map(of));
  return {
    proceeds: sum(({ proceeds }) => proceeds),
    basis: sum(({ basis }) => basis),
    adjustment: sum(({ adjustment }) => adjustment),
    gain: sum(({ gain }) => gain),
    count: parts.length,
  };
}

/** The maximum number of sales to choose from. */
const candidatesMax = 12;

/** The maximum number of sales with equal proceeds to sort, which are more than anyone can tell apart. */
const equalMax = 500;

type Group = readonly [SaleCandidate, ...SaleCandidate[]];

/** The sales of a year, sorted by their proceeds, because a year may have 100,000 of them and a notice 200 lines. */
class YearSales {
  /** By whole dollars, rounded down, of the proceeds in the books and on the Form 1099. */
  readonly #byDollars: ReadonlyMap<bigint, readonly SaleCandidate[]>;
  readonly #sorted: readonly SaleCandidate[];
  /** The sorted sales of each account, and of each asset in it. */
  readonly #accounts: readonly Group[];
  readonly #assets: readonly Group[];

  constructor(readonly candidates: readonly SaleCandidate[]) {
    const sorted = candidates.toSorted((a, b) => compareNumbers(a.ours.proceeds, b.ours.proceeds));
    const byDollars = new Map<bigint, SaleCandidate[]>();
    for (const one of sorted) {
      for (const dollars of new Set([one.ours.proceeds, one.shown ?? one.ours.proceeds].map(floorDollars))) {
        const own = byDollars.get(dollars);
        if (own === undefined) byDollars.set(dollars, [one]);
        else own.push(one);
      }
    }
    this.#byDollars = byDollars;
    const split = (keyOf: (one: SaleCandidate) => string): Group[] =>
      [...Map.groupBy(sorted, keyOf).values()] as unknown as Group[];
    this.#accounts = split(({ account }) => account);
    this.#assets = split(({ account, asset }) => JSON.stringify([account, asset]));
    this.#sorted = sorted;
  }

  /**
   * Returns the candidates that the line can only mean: the proceeds are equal, its description names the asset, and its
   * payer does not name another account. Without a description, the payer must name the account.
   */
  findFitting(line: NoticeLine): readonly SaleCandidate[] {
    const accounts = this.#findNamedAccounts(line);
    const described = new Set(wordsOf(line.description));
    return this.#withProceeds(line).filter(
      (one) =>
        one.parts.length > 0 &&
        (described.size === 0 ? accounts.has(one.account) : namesAsset(described, one)) &&
        (accounts.size === 0 || accounts.has(one.account)),
    );
  }

  /** Returns the sales to choose from: equal proceeds first, then by name, and then by the distance of the proceeds. */
  rank(line: NoticeLine): readonly SaleCandidate[] {
    const accounts = this.#findNamedAccounts(line);
    const described = new Set(wordsOf(line.description));
    const named = [
      ...this.#accounts.filter(([first]) => accounts.has(first.account)),
      ...this.#assets.filter(([first]) => namesAsset(described, first)),
    ];
    const equal = new Set(this.#withProceeds(line).slice(0, equalMax));
    const near = [this.#sorted, ...named].flatMap((sales) => findNearest(sales, line.proceeds));
    const ranked = [...new Set([...equal, ...near])].map((one) => {
      const [isNamed, isOfPayer] = [namesAsset(described, one), accounts.has(one.account)];
      const marks = (equal.has(one) ? 4 : 0) + (isNamed ? 2 : 0) + (isOfPayer ? 1 : 0);
      return { one, marks, far: distance(line.proceeds, one.ours.proceeds) };
    });
    ranked.sort((a, b) => b.marks - a.marks || compareNumbers(a.far, b.far));
    return ranked.slice(0, candidatesMax).map(({ one }) => one);
  }

  #withProceeds(line: NoticeLine): readonly SaleCandidate[] {
    const dollars = floorDollars(line.proceeds);
    const near = [dollars - 1n, dollars].flatMap((each) => this.#byDollars.get(each) ?? []);
    return [...new Set(near)].filter((one) => hasProceeds(line, one));
  }

  #findNamedAccounts({ payer }: NoticeLine): ReadonlySet<string> {
    const payerWords = new Set(wordsOf(payer));
    const names = this.#accounts.map(([first]) => first.account);
    const isNamed = (word: string): boolean => word.length > 2 && !commonWords.has(word) && payerWords.has(word);
    return new Set(names.filter((account) => wordsOf(account).some(isNamed)));
  }
}

/** Returns up to `candidatesMax` sales on each side of these proceeds, from sales in the order of theirs. */
function findNearest(sales: readonly SaleCandidate[], proceeds: Cents): readonly SaleCandidate[] {
  let [low, high] = [0, sales.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sales[middle]?.ours.proceeds ?? zeroCents) < proceeds) low = middle + 1;
    else high = middle;
  }
  return sales.slice(Math.max(0, low - candidatesMax), low + candidatesMax);
}

function floorDollars(cents: Cents): bigint {
  return (cents - (((cents % 100n) + 100n) % 100n)) / 100n;
}

function compareNumbers(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Words of accounts that do not tell one payer from another. */
const commonWords: ReadonlySet<string> = new Set(
  'account and bank brokerage corp exchange financial for inc individual ira joint llc main new roth securities services taxable the trading trust wallet'.split(
    ' ',
  ),
);

function namesAsset(described: ReadonlySet<string>, { names }: SaleCandidate): boolean {
  return names.some((words) => words.every((word) => described.has(word)));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Notices print whole dollars, so such an amount fits every amount that is less than a dollar away. */
function hasProceeds({ proceeds }: NoticeLine, { shown, ours }: SaleCandidate): boolean {
  return [shown, ours.proceeds].some((amount) => amount !== null && isSameAmount(proceeds, amount));
}

function isSameAmount(printed: Cents, exact: Cents): boolean {
  return printed === exact || (printed % 100n === 0n && distance(printed, exact) < 100n);
}

function distance(a: bigint, b: bigint): bigint {
  return a < b ? b - a : a - b;
}

function matchLine(line: NoticeLine, candidate: SaleCandidate, sales: YearSales, reason: string): NoticeMatch {
  const proposed = computeProposed(line);
  const difference = (candidate.ours.gain - proposed) as Cents;
  const position = isSameAmount(proposed, candidate.ours.gain) ? 'agree' : 'disagree';
  return {
    ...{ line, state: 'matched', candidate, candidates: sales.rank(line) },
    ...{ reason, proposed, difference, position },
  };
}

function withoutSale(line: NoticeLine, sales: YearSales): NoticeMatch {
  const position = line.agrees === null ? 'undecided' : line.agrees ? 'agree' : 'disagree';
  return {
    ...{ line, state: 'none', candidate: null, candidates: sales.rank(line) },
    ...{ reason: 'You stated that it is none of your sales.', proposed: computeProposed(line) },
    ...{ difference: null, position },
  };
}

function leaveOpen(line: NoticeLine, sales: YearSales, why: string): NoticeMatch {
  return {
    ...{ line, state: 'open', candidate: null, candidates: sales.rank(line) },
    ...{ reason: `${why} ${formatDollars(line.proceeds)} of proceeds are not matched yet.` },
    ...{ proposed: computeProposed(line), difference: null, position: 'undecided' },
  };
}

function computeProposed({ proceeds, basis }: NoticeLine): Cents {
  return (proceeds - (basis ?? zeroCents)) as Cents;
}

function sumMatches(matches: readonly NoticeMatch[]): NoticeComparison['totals'] {
  const matched = matches.filter(({ state }) => state === 'matched');
  const open = matches.filter(({ state }) => state === 'open');
  return {
    proposed: addCents(matches.map(({ proposed }) => proposed)),
    proposedMatched: addCents(matched.map(({ proposed }) => proposed)),
    ours: sumParts(matched.flatMap(({ candidate }) => candidate?.parts ?? [])),
    open: addCents(open.map(({ line }) => line.proceeds)),
    openCount: open.length,
  };
}
