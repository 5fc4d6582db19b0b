import { dayIn, formatDay, formatInstant, type Instant } from '../../../base/day.ts';
import { formatCents, formatMoney, formatQuantity, roundToCents } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import type { StatedNames } from '../../../engine/events/same-assets.ts';
import type { Ratio, Statement, Transaction } from '../../../engine/model.ts';
import {
  type ExtraMember,
  extraMembers,
  type MemberKind,
  type MemberValues,
  memberNames,
  statementMembers,
} from '../../../engine/statement-members.ts';
import { loadAssetNames } from './asset-names/asset-names.ts';
import { type NamedIssue, selectFirstSources, selectIssuesNaming } from './list.queries.ts';
import { selectPossible } from './matched.queries.ts';
import type { TransactionRow } from './rows.queries.ts';
import { parseMoneyColumn, parseStatedNames, toTransaction } from './rows.ts';

/** An item to review about a transaction. */
interface Review {
  readonly kind: string;
  readonly detail: string;
  /** The largest possible error in the result. Null if unknown. */
  readonly dollars: string | null;
}

interface RowSource {
  readonly importId: string | null;
  readonly line: number | null;
}

/** Formats a transaction with the field names of the API. Omits optional values that are not set. */
function transactionView(
  transaction: Transaction,
  source: RowSource,
  review: readonly Review[],
  statedNames: StatedNames = {},
  assetName?: string,
) {
  const { id, at, on, externalId } = transaction;
  return {
    id,
    date: at === null ? formatDay(on) : formatInstant(at),
    day: formatDay(on),
    ...(Object.fromEntries(usualMembers.map((name) => [name, formatMember(transaction, name)])) as UsualTexts),
    ...(assetName === undefined ? {} : { assetName }),
    ...(Object.fromEntries(statedMembers(transaction)) as ExtraTexts),
    ...(Object.keys(statedNames).length === 0 ? {} : { statedNames }),
    source: { importId: source.importId, line: source.line, externalId: externalId === '' ? null : externalId },
    review: [...review],
  };
}

/** Properties with a fixed position in the response: the date, the source ID, and the note at the end. */
const separateMembers = ['at', 'on', 'externalId', 'note'] as const;
type UsualMember = Exclude<keyof Statement, ExtraMember | (typeof separateMembers)[number]>;
type OptionalMember = ExtraMember | 'note';

/** Properties that are always in the response. */
export const usualMembers = memberNames.filter(
  (name): name is UsualMember => !('isExtra' in statementMembers[name]) && !separateMembers.some((one) => one === name),
);
/** Properties that are omitted if they are not set. */
export const optionalMembers: readonly OptionalMember[] = [...extraMembers, 'note'];

type UsualTexts = { readonly [Name in UsualMember]: TextOf<Transaction[Name]> };

type ExtraTexts = { readonly [Name in OptionalMember]?: NonNullable<TextOf<Transaction[Name]>> };

/** The type of a value in a response. Numbers, days and lists are converted to text. */
type TextOf<Value> = Value extends string | null ? Value : null extends Value ? string | null : string;

const textOfKind: { readonly [Kind in MemberKind]: (value: MemberValues[Kind]) => string | null } = {
  instant: (instant) => (instant === null ? null : formatInstant(instant)),
  day: (day) => (day === null ? null : formatDay(day)),
  type: (type) => type,
  name: (name) => name,
  note: (note) => note,
  currency: (currency) => currency,
  class: (assetClass) => assetClass,
  quantity: (quantity) => (quantity === null ? null : formatQuantity(quantity)),
  money: (money) => (money === null ? null : formatMoney(money)),
  ratio: (ratio) => (ratio === null ? null : ratioText(ratio)),
  lots: (lots) => lots.map((lot) => `${lot.label}:${formatQuantity(lot.quantity)}`).join(';'),
  right: (right) => right,
  box: (box) => box,
  term: (term) => term,
};

function formatMember(transaction: Transaction, name: UsualMember | OptionalMember): string | null {
  const write = textOfKind[statementMembers[name].kind] as (value: unknown) => string | null;
  return write(transaction[name]);
}

function statedMembers(transaction: Transaction): (readonly [OptionalMember, string])[] {
  return optionalMembers.flatMap((name) => {
    const text = formatMember(transaction, name);
    return text === null || text === '' ? [] : [[name, text] as const];
  });
}

function ratioText({ numerator, denominator }: Ratio): string {
  return `${numerator}:${denominator}`;
}

/** Returns today's date in the taxpayer's time zone as `YYYY-MM-DD`. Rows with a later date are in the future. */
export function getToday(deps: Pick<Deps, 'clock'>, timeZone: string): string {
  return formatDay(dayIn((deps.clock.now().getTime() * 1000) as Instant, timeZone));
}

/** Returns rows with their sources and review items. The number of queries does not depend on the number of rows. */
export async function viewRows(sql: Sql, taxpayerId: string, rows: readonly TransactionRow[], today: string) {
  const ids = rows.map((row) => row.id);
  if (ids.length === 0) return [];
  const sources = new Map((await selectFirstSources(sql, taxpayerId, ids)).map((source) => [source.id, source]));
  const issues = await selectIssuesNaming(sql, taxpayerId, ids);
  const pairs = await selectPossible(sql, taxpayerId, { ids });
  const doubted = new Map(
    pairs.flatMap(({ transactionId, otherId, detail }) => [
      [transactionId, detail] as const,
      [otherId, detail] as const,
    ]),
  );
  const naming = new Map<string, NamedIssue[]>();
  for (const issue of issues) {
    for (const id of new Set(issue.transactions)) naming.set(id, [...(naming.get(id) ?? []), issue]);
  }
  const nameOf = await loadAssetNames(
    sql,
    taxpayerId,
    rows.map((row) => row.asset),
  );
  return rows.map((row) => {
    const source = sources.get(row.id) ?? { importId: null, line: null };
    const future = row.on_day > today ? [futureDate] : [];
    const doubt = doubted.get(row.id);
    const twice = doubt === undefined ? [] : [{ kind: 'possible_duplicate', detail: doubt, dollars: null }];
    const reviews = [...(naming.get(row.id) ?? []).map(toReview), ...twice];
    const review = [...reviews, ...future.filter((one) => !reviews.some((other) => other.kind === one.kind))];
    const transaction = toTransaction(row);
    const assetName = nameOf(row.asset, transaction.assetClass);
    return transactionView(transaction, source, review, parseStatedNames(row), assetName);
  });
}

const futureDate: Review = {
  kind: 'future_date',
  detail: 'The date is in the future. The transaction counts as if it had already happened.',
  dollars: null,
};

function toReview(issue: NamedIssue): Review {
  const dollars = issue.dollars === null ? null : formatCents(roundToCents(parseMoneyColumn(issue.dollars)));
  return { kind: issue.issue, detail: issue.detail, dollars };
}
