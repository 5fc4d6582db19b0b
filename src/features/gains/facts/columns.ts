import { formatDay } from '../../../base/day.ts';
import { formatCents, formatMoney, formatQuantity } from '../../../base/decimal.ts';
import type { Contract1256, Disposal, Fact, Income, Issue, Lot, WashSale } from '../../../engine/model.ts';

/** Facts as the arrays that `unnest` takes, one a column; all text, as an array of truths is sent as one truth. */
type Cell = string | null;
export type FactOf<Kind extends Fact['kind']> = Extract<Fact, { readonly kind: Kind }>;
export type Columns<Kind extends Fact['kind']> = Readonly<Record<Exclude<keyof FactOf<Kind>, 'kind'>, Cell[]>>;

export function disposalColumns(facts: readonly Disposal[]): Columns<'disposal'> & { acquiredVarious: Cell[] } {
  return {
    id: facts.map((fact) => fact.id),
    causedOn: facts.map((fact) => formatDay(fact.causedOn)),
    on: facts.map((fact) => formatDay(fact.on)),
    saleId: facts.map((fact) => fact.saleId),
    lotId: facts.map((fact) => fact.lotId),
    asset: facts.map((fact) => fact.asset),
    assetClass: facts.map((fact) => fact.assetClass),
    account: facts.map((fact) => fact.account),
    quantity: facts.map((fact) => formatQuantity(fact.quantity)),
    acquired: facts.map((fact) => formatDay(fact.acquired)),
    heldSince: facts.map((fact) => formatDay(fact.heldSince)),
    inherited: facts.map((fact) => String(fact.inherited)),
    sold: facts.map((fact) => formatDay(fact.sold)),
    proceeds: facts.map((fact) => formatCents(fact.proceeds)),
    basis: facts.map((fact) => formatCents(fact.basis)),
    term: facts.map((fact) => fact.term),
    box: facts.map((fact) => fact.box),
    boxReason: facts.map((fact) => fact.boxReason),
    shortSale: facts.map((fact) => String(fact.shortSale)),
    expired: facts.map((fact) => fact.expired),
    code: facts.map((fact) => fact.code),
    adjustment: facts.map((fact) => formatCents(fact.adjustment)),
    basisUnknown: facts.map((fact) => String(fact.basisUnknown)),
    identified: facts.map((fact) => fact.identified),
    acquiredVarious: facts.map((fact) => String(fact.acquiredVarious ?? false)),
    description: facts.map((fact) => fact.description),
  };
}

export function washColumns(facts: readonly WashSale[]): Columns<'wash'> {
  return {
    id: facts.map((fact) => fact.id),
    causedOn: facts.map((fact) => formatDay(fact.causedOn)),
    on: facts.map((fact) => formatDay(fact.on)),
    disposalId: facts.map((fact) => fact.disposalId),
    replacementLotId: facts.map((fact) => fact.replacementLotId),
    replacementTransactionId: facts.map((fact) => fact.replacementTransactionId),
    quantity: facts.map((fact) => formatQuantity(fact.quantity)),
    disallowed: facts.map((fact) => formatCents(fact.disallowed)),
    permanent: facts.map((fact) => String(fact.permanent)),
  };
}

export function incomeColumns(facts: readonly Income[]): Columns<'income'> {
  return {
    id: facts.map((fact) => fact.id),
    causedOn: facts.map((fact) => formatDay(fact.causedOn)),
    on: facts.map((fact) => formatDay(fact.on)),
    transactionId: facts.map((fact) => fact.transactionId),
    type: facts.map((fact) => fact.type),
    asset: facts.map((fact) => fact.asset),
    account: facts.map((fact) => fact.account),
    amount: facts.map((fact) => formatMoney(fact.amount)),
  };
}

export function contractColumns(facts: readonly Contract1256[]): Columns<'contract_1256'> {
  return {
    id: facts.map((fact) => fact.id),
    causedOn: facts.map((fact) => formatDay(fact.causedOn)),
    on: facts.map((fact) => formatDay(fact.on)),
    transactionId: facts.map((fact) => fact.transactionId),
    asset: facts.map((fact) => fact.asset),
    account: facts.map((fact) => fact.account),
    gain: facts.map((fact) => formatCents(fact.gain)),
  };
}

export function issueColumns(facts: readonly Issue[]): Columns<'issue'> {
  return {
    id: facts.map((fact) => fact.id),
    causedOn: facts.map((fact) => formatDay(fact.causedOn)),
    on: facts.map((fact) => formatDay(fact.on)),
    issue: facts.map((fact) => fact.issue),
    asset: facts.map((fact) => fact.asset),
    account: facts.map((fact) => fact.account),
    transactions: facts.map((fact) => JSON.stringify(fact.transactions)),
    dollars: facts.map((fact) => formatCents(fact.dollars)),
    detail: facts.map((fact) => fact.detail),
  };
}

export type LotColumns = Readonly<Record<keyof Lot, Cell[]>>;

export function lotColumns(lots: readonly Lot[]): LotColumns {
  return {
    id: lots.map((lot) => lot.id),
    asset: lots.map((lot) => lot.asset),
    assetClass: lots.map((lot) => lot.assetClass),
    account: lots.map((lot) => lot.account),
    quantity: lots.map((lot) => formatQuantity(lot.quantity)),
    basis: lots.map((lot) => formatCents(lot.basis)),
    acquired: lots.map((lot) => formatDay(lot.acquired)),
    heldSince: lots.map((lot) => formatDay(lot.heldSince)),
    inherited: lots.map((lot) => String(lot.inherited)),
  };
}
