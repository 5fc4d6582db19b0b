import { formatDay, formatInstant } from '../../base/day.ts';
import { formatMoney, formatQuantity, type Money, type Quantity } from '../../base/decimal.ts';
import type { Ratio, Transaction } from '../../engine/model.ts';

/** A transaction as API.md names its members: what it does not state is left out, but for the ones every list shows. */

export interface Review {
  readonly kind: string;
  readonly detail: string;
  /** What the answer may be wrong by, at most. */
  readonly dollars: string;
}

export interface Source {
  readonly importId: string | null;
  readonly line: number | null;
}

export function transactionView(transaction: Transaction, source: Source, review: readonly Review[]) {
  const t = transaction;
  return {
    id: t.id,
    date: t.at === null ? formatDay(t.on) : formatInstant(t.at),
    type: t.type,
    account: t.account,
    asset: t.asset,
    quantity: units(t.quantity),
    amount: dollars(t.amount),
    fee: dollars(t.fee),
    currency: t.currency,
    assetClass: t.assetClass,
    ...stated('receivedAsset', t.receivedAsset),
    ...stated('receivedQuantity', units(t.receivedQuantity)),
    ...stated('feeAsset', t.feeAsset),
    ...stated('feeQuantity', units(t.feeQuantity)),
    ...stated('feeOwn', dollars(t.feeOwn)),
    ...stated('toAccount', t.toAccount),
    ...stated('acquired', t.acquired === null ? null : formatDay(t.acquired)),
    ...stated('basis', dollars(t.basis)),
    ...stated('fmv', dollars(t.fmv)),
    ...stated('ratio', t.ratio === null ? null : ratioText(t.ratio)),
    ...stated('lots', t.lots.map((lot) => `${lot.label}:${formatQuantity(lot.quantity)}`).join(';')),
    ...stated('identifiedAt', t.identifiedAt === null ? null : formatInstant(t.identifiedAt)),
    ...stated('shares', units(t.shares)),
    ...stated('underlying', t.underlying),
    ...stated('right', t.right),
    ...stated('box', t.box),
    ...stated('wash', dollars(t.wash)),
    ...stated('term', t.term),
    ...stated('note', t.note),
    source: { importId: source.importId, line: source.line, externalId: t.externalId === '' ? null : t.externalId },
    review: [...review],
  };
}

function stated<Name extends string, Value extends string>(name: Name, value: Value | null) {
  return (value === null || value === '' ? {} : { [name]: value }) as { readonly [Key in Name]?: Value };
}

function units(quantity: Quantity | null): string | null {
  return quantity === null ? null : formatQuantity(quantity);
}

function dollars(money: Money | null): string | null {
  return money === null ? null : formatMoney(money);
}

export function ratioText({ numerator, denominator }: Ratio): string {
  return `${numerator}:${denominator}`;
}
