import { dayOf, formatDay, yearOf } from '../../../base/day.ts';
import { parseMoney } from '../../../base/decimal.ts';
import { invalidMember } from '../../../base/refusal.ts';
import { touch } from '../transactions/rows/touched.ts';
import { addRow } from './missing-positions.ts';
import {
  type DiscountOfYear,
  effectOn,
  type ResolutionContext,
  type ResolutionEffect,
  requireIssueRow,
} from './resolution.ts';

/**
 * Adds a row of original issue discount for each year entered. The discount was income of that year and increased the
 * basis (IRC 1272(a)(1), (d)(2)). The row for the year of the sale is dated on the day of the sale and sorts before the
 * sale.
 */
export async function addOriginalDiscounts(context: ResolutionContext): Promise<ResolutionEffect> {
  const { issue, answer } = context;
  const sale = requireIssueRow(context);
  const saleYear = yearOf(sale.on);
  const discounts = parseDiscounts(answer.discounts ?? [], saleYear);
  const added: { readonly addedId: string; readonly given: { readonly acquired: string; readonly amount: string } }[] =
    [];
  const effect = effectOn(sale, {});
  const touched = new Map(effect.touched);
  for (const { year, amount } of discounts) {
    const on = year === saleYear ? sale.on : (dayOf(year, 12, 31) ?? sale.on);
    const row = await addRow(context, {
      date: formatDay(on),
      type: 'original_issue_discount',
      account: issue.account,
      asset: issue.asset,
      assetClass: sale.assetClass,
      amount,
      note: answer.note,
    });
    for (const [key, day] of row.touched) touch(touched, key, day);
    added.push({ addedId: row.addedId, given: { acquired: formatDay(on), amount } });
  }
  const [first, ...others] = added;
  if (first === undefined) throw invalidMember('/discounts', 'Enter the original issue discount of each year.');
  return { ...effect, ...first, alsoAdded: others, touched };
}

function parseDiscounts(discounts: readonly DiscountOfYear[], saleYear: number): readonly DiscountOfYear[] {
  const years = new Set<number>();
  for (const [at, { year, amount }] of discounts.entries()) {
    const discount = parseMoney(amount);
    if (discount === undefined || discount <= 0n)
      throw invalidMember(`/discounts/${at}/amount`, 'Enter a positive discount with at most 8 decimals.');
    if (year > saleYear)
      throw invalidMember(`/discounts/${at}/year`, `The bond was sold in ${saleYear}. Enter years up to then.`);
    if (years.has(year)) throw invalidMember(`/discounts/${at}/year`, `Enter ${year} only once.`);
    years.add(year);
  }
  return discounts;
}
