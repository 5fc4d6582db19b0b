import { formatDay, longTermOn } from '../../../../base/day.ts';
import { formatCents, formatMoney, formatQuantity } from '../../../../base/decimal.ts';
import { boxNames, type Lot, type TaxYearSummary } from '../../../../engine/model.ts';
import { totalsText } from '../../../../forms/figures.ts';
import type { HelpEntry } from '../../help/entry.ts';
import type { WashLine } from '../view.ts';

export function summaryResult(summary: TaxYearSummary): unknown {
  const contracts = summary.contracts1256;
  return {
    year: summary.year,
    shortTerm: totalsText(summary.shortTerm),
    longTerm: totalsText(summary.longTerm),
    total: totalsText(summary.total),
    missingBasis: totalsText(summary.missingBasis),
    washSaleDisallowed: formatCents(summary.washSaleDisallowed),
    boxes: summary.boxes.map((box) => ({ box: box.box, meaning: boxNames[box.box], ...totalsText(box) })),
    assets: summary.assets.slice(0, 100).map((each) => ({ asset: each.asset, ...totalsText(each) })),
    income: summary.income.map(({ type, amount, count }) => ({ type, amount: formatMoney(amount), count })),
    section1256: { gain: formatCents(contracts.gain), count: contracts.count },
    issues: summary.issues,
  };
}

export function washSaleResult(wash: WashLine): unknown {
  return {
    ...wash,
    on: formatDay(wash.on),
    quantity: formatQuantity(wash.quantity),
    disallowed: formatCents(wash.disallowed),
  };
}

export function lotResult(lot: Lot): unknown {
  return {
    asset: lot.asset,
    account: lot.account,
    quantity: formatQuantity(lot.quantity),
    basis: formatCents(lot.basis),
    acquired: lot.purchaseUnknown ? null : lot.inherited ? 'INHERITED' : formatDay(lot.acquired),
    longTermOn: lot.purchaseUnknown || lot.inherited ? null : formatDay(longTermOn(lot.heldSince)),
    ...(lot.purchaseUnknown ? { purchaseUnknown: true } : {}),
  };
}

export function helpResult({ id, title, kind, text, authority }: HelpEntry): unknown {
  return { id, title, kind, text, authority: authority.map((each) => each.title) };
}
