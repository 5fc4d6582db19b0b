import { formatDay } from '../../../base/day.ts';
import { formatCents, formatMoney, formatQuantity } from '../../../base/decimal.ts';
import { type ArrayText, arrayOf } from '../../../db/array.ts';
import type { Contract1256, Disposal, Fact, Income, Issue, WashSale } from '../../../engine/model.ts';

/** Facts as the arrays that `unnest` takes, one a column. */
export type FactOf<Kind extends Fact['kind']> = Extract<Fact, { readonly kind: Kind }>;
export type Columns<Kind extends Fact['kind']> = Readonly<Record<Exclude<keyof FactOf<Kind>, 'kind'>, ArrayText>>;

export function disposalColumns(facts: readonly Disposal[]): Columns<'disposal'> & { acquiredVarious: ArrayText } {
  return {
    id: arrayOf(facts, (fact) => fact.id),
    causedOn: arrayOf(facts, (fact) => formatDay(fact.causedOn)),
    on: arrayOf(facts, (fact) => formatDay(fact.on)),
    saleId: arrayOf(facts, (fact) => fact.saleId),
    lotId: arrayOf(facts, (fact) => fact.lotId),
    asset: arrayOf(facts, (fact) => fact.asset),
    assetClass: arrayOf(facts, (fact) => fact.assetClass),
    account: arrayOf(facts, (fact) => fact.account),
    quantity: arrayOf(facts, (fact) => formatQuantity(fact.quantity)),
    acquired: arrayOf(facts, (fact) => formatDay(fact.acquired)),
    heldSince: arrayOf(facts, (fact) => formatDay(fact.heldSince)),
    inherited: arrayOf(facts, (fact) => String(fact.inherited)),
    sold: arrayOf(facts, (fact) => formatDay(fact.sold)),
    proceeds: arrayOf(facts, (fact) => formatCents(fact.proceeds)),
    basis: arrayOf(facts, (fact) => formatCents(fact.basis)),
    term: arrayOf(facts, (fact) => fact.term),
    box: arrayOf(facts, (fact) => fact.box),
    boxReason: arrayOf(facts, (fact) => fact.boxReason),
    shortSale: arrayOf(facts, (fact) => String(fact.shortSale)),
    expired: arrayOf(facts, (fact) => fact.expired),
    code: arrayOf(facts, (fact) => fact.code),
    adjustment: arrayOf(facts, (fact) => formatCents(fact.adjustment)),
    basisUnknown: arrayOf(facts, (fact) => String(fact.basisUnknown)),
    identified: arrayOf(facts, (fact) => fact.identified),
    acquiredVarious: arrayOf(facts, (fact) => String(fact.acquiredVarious ?? false)),
    description: arrayOf(facts, (fact) => fact.description),
  };
}

export function washColumns(facts: readonly WashSale[]): Columns<'wash'> {
  return {
    id: arrayOf(facts, (fact) => fact.id),
    causedOn: arrayOf(facts, (fact) => formatDay(fact.causedOn)),
    on: arrayOf(facts, (fact) => formatDay(fact.on)),
    disposalId: arrayOf(facts, (fact) => fact.disposalId),
    replacementLotId: arrayOf(facts, (fact) => fact.replacementLotId),
    replacementTransactionId: arrayOf(facts, (fact) => fact.replacementTransactionId),
    quantity: arrayOf(facts, (fact) => formatQuantity(fact.quantity)),
    disallowed: arrayOf(facts, (fact) => formatCents(fact.disallowed)),
    permanent: arrayOf(facts, (fact) => String(fact.permanent)),
  };
}

export function incomeColumns(facts: readonly Income[]): Columns<'income'> {
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

export function contractColumns(facts: readonly Contract1256[]): Columns<'contract_1256'> {
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

export function issueColumns(facts: readonly Issue[]): Columns<'issue'> {
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
