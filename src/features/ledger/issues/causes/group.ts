import { parseWrittenQuantity } from '../../../../base/decimal.ts';
import { type IssueKind, issueKinds } from '../../../../engine/model.ts';

/** An open issue, as far as its cause depends on it. */
export interface CauseRow {
  readonly id: string;
  readonly kind: IssueKind;
  readonly on: string;
  readonly asset: string;
  readonly account: string;
  /** The first transaction of the issue, or null. */
  readonly transaction: string | null;
  /** In cents. Null if unlimited. */
  readonly dollars: bigint | null;
  /** The unmatched leg of a transfer. */
  readonly leg?: LegOfIssue | undefined;
  /** The rejected line of a file. */
  readonly line?: RejectedLineOfIssue | undefined;
  /** A price would answer the issue. */
  readonly needsPrice?: boolean;
}

export interface LegOfIssue {
  readonly type: string;
  readonly assetKey: string;
  readonly day: string;
  readonly quantity: string;
}

export interface RejectedLineOfIssue {
  readonly rejectId: string;
  readonly importId: string;
  readonly fileName: string | null;
  readonly code: string;
  readonly column: string | null;
}

/** Open issues that one answer may resolve, or that have the same reason. */
export interface Cause {
  /** The same cause has the same key after any change of the books. */
  readonly key: string;
  readonly kind: IssueKind;
  readonly asset: string;
  readonly account: string;
  readonly fileName: string | null;
  /** Items of several accounts and assets with one way to answer them, or null. */
  readonly reason: 'pairs' | 'prices' | null;
  readonly items: readonly CauseItem[];
  readonly dollars: bigint;
  /** The number of items whose amount is unlimited. */
  readonly unknown: number;
}

/** What the user decides at once: usually one transaction, with all of its issues. The leading issue comes first. */
interface CauseItem {
  readonly issues: readonly CauseRow[];
  readonly dollars: bigint | null;
}

/** Groups open issues by cause. The largest amount at stake comes first. */
export function groupByCause(rows: readonly CauseRow[]): Cause[] {
  const partners = findPartners(rows);
  const byKey = Map.groupBy(toItems(rows, partners), (item) => keyOf(item, partners));
  return [...byKey].map(([key, items]) => toCause(key, items, partners)).sort(compareCauses);
}

export function compareCauses(a: SortedCause, b: SortedCause): number {
  if (a.dollars !== b.dollars) return a.dollars > b.dollars ? -1 : 1;
  return b.unknown - a.unknown || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

type SortedCause = Pick<Cause, 'dollars' | 'unknown' | 'key'>;

/** Issues of these kinds are about more than their transaction, or about none. */
const standAlone: ReadonlySet<IssueKind> = new Set<IssueKind>([
  ...(['tax_year_by_zone', 'account_type_unknown', 'rejected_line', 'row_differs', 'balance_differs'] as const),
  ...(['gain_differs', 'same_security', 'class_unknown', 'class_of_name', 'carryover_to_divide'] as const),
]);

/**
 * If a transaction has several issues, the first of these leads, because its answer often resolves the others. An
 * unmatched transfer comes last: it also follows from missing units.
 */
const leading: readonly IssueKind[] = [
  'oversold',
  'short_exceeded',
  'option_not_open',
  'basis_missing',
  'value_missing',
];

function rank({ kind, needsPrice }: CauseRow): number {
  // One price answers many rows, and the amounts at stake are known afterwards.
  if (needsPrice === true) return -1;
  const at = leading.indexOf(kind);
  if (at !== -1) return at;
  return kind === 'transfer_unpaired' ? leading.length + 1 : leading.length;
}

function toItems(rows: readonly CauseRow[], partners: ReadonlyMap<string, string>): CauseItem[] {
  const items = Map.groupBy(rows, (row) => {
    if (row.transaction === null || standAlone.has(row.kind)) return row.id;
    const partner = partners.get(row.transaction);
    return partner === undefined || partner > row.transaction ? row.transaction : partner;
  });
  return [...items.values()].map((own) => ({
    issues: own.toSorted((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1)),
    dollars: own.reduce<bigint | null>((most, { dollars }) => larger(most, dollars), 0n),
  }));
}

/** Issues of one transaction concern the same amount, so it counts once. */
function larger(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null || b === null) return null;
  return a > b ? a : b;
}

function lead({ issues }: CauseItem): CauseRow {
  return issues[0] as CauseRow;
}

function keyOf(item: CauseItem, partners: ReadonlyMap<string, string>): string {
  return JSON.stringify([lead(item).kind, ...reasonOf(lead(item), partners)]);
}

/** Returns a cause without open issues. Undefined if no cause can have the key. */
export function resolvedCause(key: string): Cause | undefined {
  const kind = issueKinds.find((each) => key.startsWith(`["${each}"`));
  if (kind === undefined) return undefined;
  return { key, kind, asset: '', account: '', fileName: null, reason: null, items: [], dollars: 0n, unknown: 0 };
}

/** What issues of one kind must have in common to have one cause. */
function reasonOf(row: CauseRow, partners: ReadonlyMap<string, string>): readonly (string | null)[] {
  const { kind, account, asset, line } = row;
  switch (kind) {
    case 'tax_year_by_zone':
      return [];
    case 'transfer_unpaired':
      return isPaired(row, partners) ? ['pairs'] : ['account', account];
    case 'value_missing':
      return row.needsPrice === true ? ['prices'] : ['asset', account, asset];
    case 'oversold':
    case 'basis_missing':
    case 'short_exceeded':
    case 'option_not_open':
      return ['asset', account, asset];
    case 'class_unknown':
    case 'class_of_name':
    case 'same_security':
      return [asset];
    case 'rejected_line':
      return line === undefined ? [] : [line.importId, line.code, line.column];
    default:
      return [account];
  }
}

function isPaired({ transaction }: CauseRow, partners: ReadonlyMap<string, string>): boolean {
  return transaction !== null && partners.has(transaction);
}

function toCause(key: string, items: readonly CauseItem[], partners: ReadonlyMap<string, string>): Cause {
  const leads = items.map(lead);
  const first = leads[0] as CauseRow;
  const isPairs = first.kind === 'transfer_unpaired' && isPaired(first, partners);
  const rows = isPairs ? items.flatMap(({ issues }) => issues) : leads;
  const common = (name: 'asset' | 'account') => (rows.every((row) => row[name] === first[name]) ? first[name] : '');
  return {
    key,
    kind: first.kind,
    asset: common('asset'),
    account: common('account'),
    fileName: first.line?.fileName ?? null,
    reason: first.needsPrice === true ? 'prices' : isPairs ? 'pairs' : null,
    items: items.toSorted(compareItems),
    dollars: items.reduce((sum, { dollars }) => sum + (dollars ?? 0n), 0n),
    unknown: items.filter(({ dollars }) => dollars === null).length,
  };
}

function compareItems(a: CauseItem, b: CauseItem): number {
  const [one, other] = [lead(a), lead(b)];
  return one.on < other.on ? -1 : one.on > other.on ? 1 : one.id < other.id ? -1 : 1;
}

/**
 * Returns the other leg of each unmatched transfer whose other leg is certain: each of the two is the only candidate of
 * the other. The conditions are those of `selectOtherLegs`.
 */
function findPartners(rows: readonly CauseRow[]): ReadonlyMap<string, string> {
  const legs = rows.flatMap(({ transaction, leg, kind }) => {
    if (transaction === null || leg === undefined || kind !== 'transfer_unpaired') return [];
    const quantity = parseWrittenQuantity(leg.quantity);
    return quantity === undefined ? [] : [{ ...leg, transaction, units: quantity, at: Date.parse(leg.day) }];
  });
  const candidates = new Map<string, string[]>();
  const add = (one: string, other: string) => candidates.set(one, [...(candidates.get(one) ?? []), other]);
  for (const own of Map.groupBy(legs, ({ assetKey }) => assetKey).values()) {
    const deposits = own.filter(({ type }) => type === 'deposit').sort((a, b) => a.at - b.at);
    for (const left of own.filter(({ type }) => type === 'withdrawal')) {
      for (const arrived of deposits) {
        if (arrived.at < left.at) continue;
        if (arrived.at > left.at + pairDays) break;
        if (arrived.units > left.units || arrived.units * 10n < left.units * 9n) continue;
        add(left.transaction, arrived.transaction);
        add(arrived.transaction, left.transaction);
      }
    }
  }
  const only = (id: string): string | undefined =>
    candidates.get(id)?.length === 1 ? candidates.get(id)?.[0] : undefined;
  return new Map(
    [...candidates.keys()].flatMap((id): [string, string][] => {
      const other = only(id);
      return other !== undefined && only(other) === id ? [[id, other]] : [];
    }),
  );
}

const pairDays = 60 * 86_400_000;
