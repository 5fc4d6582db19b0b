import type { Day } from '../../base/day.ts';
import { type Cents, formatCents, roundToCents, zeroCents } from '../../base/decimal.ts';
import { isDigital } from '../../engine/events/classes.ts';
import type { Disposal, Rules, Transaction } from '../../engine/model.ts';
import { formOfBox } from '../../engine/rules/lines/box.ts';
import type { ReportBooks } from '../report.ts';
import { classifyDeskEntry, type DeskFinding } from './findings.ts';
import { FormMatches } from './matches.ts';
import type { DeskFigures, DeskPart } from './parts.ts';

/**
 * The 1099 check, which compares the year's Forms 1099-B and 1099-DA with Lotbook's lines. Every form row has an entry,
 * and so does every sale that its account's form does not show. Each entry contains the difference, the reason, and the
 * dollar amount.
 */
interface FormDesk {
  /** Sorted by account and form. */
  readonly forms: readonly DeskForm[];
  /** Sorted by account, form, day and id. */
  readonly entries: readonly DeskEntry[];
}

type FormName = '1099-B' | '1099-DA';

/** All forms of one kind for an account, combined. */
export interface DeskForm {
  readonly account: string;
  readonly form: FormName;
  /** Whether one of its rows corrects another. */
  readonly corrected: boolean;
  /** The form's totals, without rows that were replaced by a correction. */
  readonly shown: DeskFigures;
  /** Lotbook's lines for that account and form. */
  readonly ours: DeskFigures;
  readonly matched: number;
  readonly differing: number;
  readonly questions: number;
}

export interface DeskEntry extends DeskFinding {
  /** The id of the form row, or of the sale if no form shows it. */
  readonly id: string;
  readonly account: string;
  readonly form: FormName;
  readonly on: Day;
  readonly asset: string;
  /** The form row. Null if no form shows the sale. */
  readonly row: Transaction | null;
  readonly parts: readonly DeskPart[];
  readonly shown: DeskFigures | null;
  readonly ours: DeskFigures | null;
}

export type DeskBooks = Pick<ReportBooks, 'lines' | 'reported' | 'year' | 'rules'>;

export function buildFormDesk({ lines, reported, year, rules }: DeskBooks): FormDesk {
  const matches = new FormMatches(lines, reported, rules);
  const entries: DeskEntry[] = [];
  for (const match of matches.ofRows()) {
    const { row, parts } = match;
    const [shown, ours] = [toShownFigures(row), parts.length === 0 ? null : sumFigures(parts)];
    const entryBase = { id: row.id, account: row.account, form: findFormName(row, year), on: row.on, asset: row.asset };
    entries.push({ ...entryBase, row, parts, shown, ours, ...classifyDeskEntry({ ...match, shown, ours }) });
  }
  const sales = matches.ofSales();
  const noForm = new NoFormReasons(
    sales.flatMap(({ parts }) => parts),
    rules,
  );
  const stated = new Set(
    reported
      .filter(({ box }) => box !== null && formOfBox(box) !== undefined)
      .map((row) => buildFormKey(row.account, findFormName(row, year))),
  );
  for (const match of sales) {
    const [first] = match.parts;
    if (first === undefined) continue;
    const { disposal } = first.line;
    const isList = !stated.has(buildFormKey(disposal.account, findFormName(disposal, year)));
    const excepted =
      noForm.of(disposal) ?? (isList ? listOnly : formOfBox(disposal.box) === undefined ? boxWithoutForm : undefined);
    const { saleId, account, sold, asset } = first.line.disposal;
    const entryBase = { id: saleId, account, form: findFormName(first.line.disposal, year), on: sold, asset };
    const ours = sumFigures(match.parts);
    entries.push({
      ...entryBase,
      row: null,
      parts: match.parts,
      shown: null,
      ours,
      ...classifyDeskEntry({ ...match, shown: null, ours, excepted }),
    });
  }
  entries.sort(compareEntries);
  return { forms: groupByForm(entries), entries };
}

const boxWithoutForm = 'Its box is for sales that are not reported on a form.';
const listOnly = 'The form rows of this account have no box, so they are treated as a list that may be incomplete.';

function buildFormKey(account: string, form: FormName): string {
  return JSON.stringify([account, form]);
}

/**
 * Returns the form of a row. Boxes A to F are on Form 1099-B, and G to L on Form 1099-DA. A row without a box is
 * classified by its asset.
 */
function findFormName({ box, assetClass }: Pick<Transaction, 'box' | 'assetClass'>, year: number): FormName {
  if (box !== null && 'GHIJKL'.includes(box)) return '1099-DA';
  return isDigital(assetClass) && year >= 2025 ? '1099-DA' : '1099-B';
}

function toShownFigures({ amount, basis, wash }: Transaction): DeskFigures {
  const [proceeds, cost, adjustment] = [amount, basis, wash].map((stated) =>
    stated === null ? zeroCents : roundToCents(stated),
  );
  const figures = { proceeds: proceeds ?? zeroCents, basis: cost ?? zeroCents, adjustment: adjustment ?? zeroCents };
  return { ...figures, gain: (figures.proceeds - figures.basis + figures.adjustment) as Cents, count: 1 };
}

function sumFigures(figures: readonly Omit<DeskFigures, 'count'>[]): DeskFigures {
  const sum = { proceeds: 0n, basis: 0n, adjustment: 0n, gain: 0n };
  for (const one of figures) for (const name of names) sum[name] += one[name];
  return { ...(sum as Record<(typeof names)[number], Cents>), count: figures.length };
}

const names = ['proceeds', 'basis', 'adjustment', 'gain'] as const;

function groupByForm(entries: readonly DeskEntry[]): DeskForm[] {
  const groups = Map.groupBy(entries, ({ account, form }) => JSON.stringify([account, form]));
  return [...groups.values()].flatMap((formEntries) => {
    const [first] = formEntries;
    if (first === undefined) return [];
    const counted = formEntries.filter(({ kind }) => kind !== 'replaced' && kind !== 'supplement');
    const shown = sumFigures(counted.flatMap((entry) => (entry.shown === null ? [] : [entry.shown])));
    return [
      {
        account: first.account,
        form: first.form,
        corrected: formEntries.some(({ kind }) => kind === 'replaced'),
        shown,
        ours: sumFigures(counted.flatMap((entry) => entry.parts)),
        matched: formEntries.filter(({ kind }) => kind === 'matched').length,
        differing: formEntries.filter(
          ({ kind }) => kind !== 'matched' && kind !== 'replaced' && kind !== 'supplement' && kind !== 'not_expected',
        ).length,
        questions: formEntries.filter(({ asks }) => asks).length,
      },
    ];
  });
}

function compareEntries(a: DeskEntry, b: DeskEntry): number {
  return compareTexts(a.account, b.account) || compareTexts(a.form, b.form) || a.on - b.on || compareTexts(a.id, b.id);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Explains sales that no form has to report, because the law exempts them or because they are below the thresholds of
 * the optional methods (i1099da, "De minimis rule for qualifying stablecoin sales", "De minimis rule for specified
 * NFTs", "De minimis rule for PDAP sales"). Without a form, their boxes are C, F, I and L.
 */
class NoFormReasons {
  readonly #totals = new Map<string, bigint>();

  /** `open` contains the sales that are not on any form row. */
  constructor(
    open: readonly DeskPart[],
    private readonly rules: Pick<Rules, 'accounts'>,
  ) {
    for (const { line, proceeds } of open) {
      const group = this.findGroup(line.disposal);
      if (group === undefined) continue;
      const key = keyOf(line.disposal.account, group.name);
      this.#totals.set(key, (this.#totals.get(key) ?? 0n) + proceeds);
    }
  }

  /** Returns undefined if a form is required. */
  of(disposal: Disposal): string | undefined {
    if (disposal.formExempt) return disposal.boxReason;
    if (disposal.shortSale && isDigital(disposal.assetClass)) {
      return 'No broker reports short sales of digital assets until further notice (Notice 2024-57).';
    }
    const group = this.findGroup(disposal);
    if (group === undefined) return undefined;
    const total = this.#totals.get(keyOf(disposal.account, group.name)) ?? 0n;
    if (total > group.max) return undefined;
    return `A broker need not report sales of ${group.name} totaling ${formatCents(group.max)} dollars a year or less. Without a form they are in box I or L.`;
  }

  private findGroup(disposal: Disposal): OptionalGroup | undefined {
    const processes = this.rules.accounts[disposal.account]?.paymentProcessor === true;
    return findOptionalGroup(disposal) ?? (processes && isDigital(disposal.assetClass) ? paymentGroup : undefined);
  }
}

interface OptionalGroup {
  readonly name: string;
  readonly max: Disposal['proceeds'];
}

const stablecoinGroup = { name: 'qualifying stablecoins', max: 1_000_000n } as OptionalGroup;
const nftGroup = { name: 'specified NFTs', max: 60_000n } as OptionalGroup;
const paymentGroup = { name: 'digital assets that it processed as payments', max: 60_000n } as OptionalGroup;

function findOptionalGroup({ asset, assetClass }: Disposal): OptionalGroup | undefined {
  if (assetClass === 'nft') return nftGroup;
  return assetClass === 'crypto' && dollarCoins.has(asset.toUpperCase()) ? stablecoinGroup : undefined;
}

/**
 * Coins that are pegged to one dollar and redeemable for it. A broker can choose whether to report their sales
 * individually.
 */
const dollarCoins: ReadonlySet<string> = new Set(
  'USDC USDT PYUSD USDP GUSD BUSD TUSD FDUSD RLUSD USD1 USDG DAI USDS'.split(' '),
);

function keyOf(account: string, group: string): string {
  return JSON.stringify([account, group]);
}
