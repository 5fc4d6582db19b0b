import { formatDay } from '../../../base/day.ts';
import { formatCents, formatMoney } from '../../../base/decimal.ts';
import { type ArrayText, arrayOf } from '../../../db/array.ts';
import type { Contract1256, Fact, Income, Issue } from '../../../engine/model.ts';
import type { DisposalGroup, WashSaleGroup } from './grouped.ts';

/** Facts as the arrays that `unnest` takes, one a column. */
type Columns<Row> = Readonly<Record<Exclude<keyof Row, 'kind'>, ArrayText>>;
type FactOf<Kind extends Fact['kind']> = Extract<Fact, { readonly kind: Kind }>;
export type FactColumns<Kind extends Fact['kind']> = Columns<FactOf<Kind>>;

/** A group with its place among those of its day. */
export type Numbered<Group> = Group & { readonly number: number };
export type DisposalColumns = Required<Columns<Numbered<DisposalGroup>>>;
export type WashSaleColumns = Columns<Numbered<WashSaleGroup>>;

export function disposalColumns(groups: readonly Numbered<DisposalGroup>[]): DisposalColumns {
  return {
    causedOn: arrayOf(groups, (group) => formatDay(group.causedOn)),
    number: arrayOf(groups, (group) => group.number),
    on: arrayOf(groups, (group) => formatDay(group.on)),
    asset: arrayOf(groups, (group) => group.asset),
    assetClass: arrayOf(groups, (group) => group.assetClass),
    account: arrayOf(groups, (group) => group.account),
    inherited: arrayOf(groups, (group) => String(group.inherited)),
    sold: arrayOf(groups, (group) => formatDay(group.sold)),
    term: arrayOf(groups, (group) => group.term),
    box: arrayOf(groups, (group) => group.box),
    boxReason: arrayOf(groups, (group) => group.boxReason),
    shortSale: arrayOf(groups, (group) => String(group.shortSale)),
    expired: arrayOf(groups, (group) => group.expired),
    code: arrayOf(groups, (group) => group.code),
    basisUnknown: arrayOf(groups, (group) => String(group.basisUnknown)),
    identified: arrayOf(groups, (group) => group.identified),
    acquiredVarious: arrayOf(groups, (group) => String(group.acquiredVarious ?? false)),
    description: arrayOf(groups, (group) => group.description),
    count: arrayOf(groups, (group) => group.count),
    lines: arrayOf(groups, (group) => group.lines),
  };
}

export function washSaleColumns(groups: readonly Numbered<WashSaleGroup>[]): WashSaleColumns {
  return {
    causedOn: arrayOf(groups, (group) => formatDay(group.causedOn)),
    number: arrayOf(groups, (group) => group.number),
    on: arrayOf(groups, (group) => formatDay(group.on)),
    permanent: arrayOf(groups, (group) => String(group.permanent)),
    count: arrayOf(groups, (group) => group.count),
    lines: arrayOf(groups, (group) => group.lines),
  };
}

export function incomeColumns(facts: readonly Income[]): FactColumns<'income'> {
  return {
    id: arrayOf(facts, (fact) => fact.id),
    causedOn: arrayOf(facts, (fact) => formatDay(fact.causedOn)),
    on: arrayOf(facts, (fact) => formatDay(fact.on)),
    transactionId: arrayOf(facts, (fact) => fact.transactionId),
    type: arrayOf(facts, (fact) => fact.type),
    asset: arrayOf(facts, (fact) => fact.asset),
    account: arrayOf(facts, (fact) => fact.account),
    amount: arrayOf(facts, (fact) => formatMoney(fact.amount)),
  };
}

export function contractColumns(facts: readonly Contract1256[]): FactColumns<'contract_1256'> {
  return {
    id: arrayOf(facts, (fact) => fact.id),
    causedOn: arrayOf(facts, (fact) => formatDay(fact.causedOn)),
    on: arrayOf(facts, (fact) => formatDay(fact.on)),
    transactionId: arrayOf(facts, (fact) => fact.transactionId),
    asset: arrayOf(facts, (fact) => fact.asset),
    account: arrayOf(facts, (fact) => fact.account),
    gain: arrayOf(facts, (fact) => formatCents(fact.gain)),
  };
}

export function issueColumns(facts: readonly Issue[]): FactColumns<'issue'> {
  return {
    id: arrayOf(facts, (fact) => fact.id),
    causedOn: arrayOf(facts, (fact) => formatDay(fact.causedOn)),
    on: arrayOf(facts, (fact) => formatDay(fact.on)),
    issue: arrayOf(facts, (fact) => fact.issue),
    asset: arrayOf(facts, (fact) => fact.asset),
    account: arrayOf(facts, (fact) => fact.account),
    transactions: arrayOf(facts, (fact) => JSON.stringify(fact.transactions)),
    dollars: arrayOf(facts, (fact) => formatCents(fact.dollars)),
    detail: arrayOf(facts, (fact) => fact.detail),
  };
}
