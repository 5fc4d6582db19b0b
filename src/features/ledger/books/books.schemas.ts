import { t } from 'elysia';
import { assetClasses, boxes, informationReturns, lotMethods, transactionTypes } from '../../../engine/model.ts';
import { suggestionMeanings, suggestionReasons } from '../../../forms/assumed-forms.ts';
import { closed, FailureReason, id, money, nullable, oneOf, quantity, whole, year } from '../../../http/schemas.ts';
import { Totals, totals } from '../../../http/years-preview.ts';
import { assetName } from '../transactions/transactions.schemas.ts';
import { date } from './line-members.ts';

export { changedYears, dryRun, Totals, YearsPreview } from '../../../http/years-preview.ts';

export const revision = t.String({
  description: 'Identifies the state of the books. The same state always has the same revision.',
});
const carried = closed({ short: money, long: money });

export const Summary = closed(
  {
    year,
    method: oneOf(lotMethods),
    shortTerm: Totals,
    longTerm: Totals,
    total: Totals,
    missingBasis: closed(totals, {
      description:
        'Totals of the lines with unknown basis, which counts as zero. This part of the total is provisional.',
    }),
    washSaleDisallowed: money,
    washSalePermanent: t.String({
      description: 'The part that is permanently disallowed, because the replacement is in an IRA.',
    }),
    boxes: t.Array(closed({ box: oneOf(boxes), ...totals })),
    assets: t.Array(closed({ asset: t.String(), assetName, assetClass: oneOf(assetClasses), ...totals })),
    income: t.Array(closed({ type: oneOf(transactionTypes), amount: money, count: whole() })),
    contracts1256: closed(
      { gain: money, short: money, long: money, count: whole() },
      { description: 'Section 1256 contracts, reported on Form 6781 and not included in the totals above.' },
    ),
    carryover: closed(
      { in: carried, out: carried, deductible: money },
      { description: 'Capital losses carried in and out, and this year’s deduction, as positive amounts.' },
    ),
    assumedForms: t.Array(
      closed({
        account: t.String(),
        boxes: t.Array(oneOf(boxes), { description: 'The boxes of the account’s lines for the year.' }),
        form: oneOf([...informationReturns, 'none'], 'The form that is assumed for these lines.'),
        suggestedForm: nullable(
          oneOf(
            informationReturns,
            'The form that the account’s rows or name suggest. Null if nothing suggests a form.',
          ),
        ),
        because: nullable(oneOf(suggestionReasons, suggestionMeanings)),
        mayBeTaxFree: t.Boolean({
          description:
            'Whether the name suggests an IRA or similar account and the settings contain no type. Set the type and the form together.',
        }),
        text: t.String({ description: 'The assumption, the reason, and how to confirm or change it.' }),
      }),
      {
        description:
          'Accounts with lines for the year that have no form in their settings, sorted by name. Set the form with `PATCH /tax/settings` and `{"accounts": {"Schwab": {"type": "taxable", "form": "1099-B"}}}`. Use `"none"` to confirm that no form was issued.',
      },
    ),
    issues: whole({ description: 'The number of open issues for the year.' }),
    revision,
    asOf: nullable(t.String({ description: 'The day of the last transaction in the books. Null if there are none.' })),
  },
  { title: 'Summary' },
);

export const YearLine = closed(
  {
    year,
    ...totals,
    shortTermGain: money,
    longTermGain: money,
    washSaleDisallowed: money,
    issues: whole(),
    locked: t.Boolean({ description: 'Whether the year is locked. Changes to its lines are rejected.' }),
  },
  { title: 'YearLine' },
);

export const Lot = closed(
  {
    id,
    asset: t.String(),
    account: t.String(),
    quantity,
    acquired: nullable(date),
    heldSince: nullable(date),
    basis: money,
    longTermOn: nullable(
      t.String({ description: 'The first day when a sale would be long-term. Null if the purchase is unknown.' }),
    ),
  },
  { title: 'Lot' },
);

export const Calculation = closed(
  {
    id: t.String({
      description:
        'The id of the calculation. A dry run or a calculation with a different method is not stored, so you cannot use its id later.',
    }),
    status: oneOf(['running', 'completed', 'failed']),
    revision: t.Optional(revision),
    transactions: t.Optional(whole()),
    disposals: t.Optional(whole()),
    openLots: t.Optional(whole()),
    durationMs: t.Optional(whole()),
    years: t.Array(Summary),
    differences: t.Array(closed({ year: whole(), member: t.String(), stored: t.String(), calculated: t.String() }), {
      description:
        'Values in the stored summaries that differ from the calculation. Always empty unless Lotbook has a bug.',
    }),
    reports: t.Array(closed({ id, year: whole() })),
    problem: t.Optional(FailureReason),
  },
  { title: 'Calculation' },
);
