import { formatCents, roundToCents } from '../base/decimal.ts';
import type { TaxYearSummary, Totals } from '../engine/model.ts';

/** Formats the year's figures for the summary and the JSON report, with two decimals, and a minus sign if negative. */
export function formatFigures(summary: TaxYearSummary) {
  const { contracts1256 } = summary;
  return {
    shortTerm: totalsText(summary.shortTerm),
    longTerm: totalsText(summary.longTerm),
    total: totalsText(summary.total),
    missingBasis: totalsText(summary.missingBasis),
    washSaleDisallowed: formatCents(summary.washSaleDisallowed),
    washSalePermanent: formatCents(summary.washSalePermanent),
    boxes: summary.boxes.map((box) => ({ box: box.box, ...totalsText(box) })),
    assets: summary.assets.map((asset) => ({
      asset: asset.asset,
      assetClass: asset.assetClass,
      ...totalsText(asset),
    })),
    income: summary.income.map(({ type, amount, count }) => ({
      type,
      amount: formatCents(roundToCents(amount)),
      count,
    })),
    contracts1256: {
      gain: formatCents(contracts1256.gain),
      short: formatCents(contracts1256.short),
      long: formatCents(contracts1256.long),
      count: contracts1256.count,
    },
  };
}

export function totalsText(totals: Totals) {
  return {
    proceeds: formatCents(totals.proceeds),
    basis: formatCents(totals.basis),
    adjustment: formatCents(totals.adjustment),
    gain: formatCents(totals.gain),
    count: totals.count,
  };
}
