import { t } from 'elysia';
import { assetClasses, boxes, informationReturns, lotMethods, transactionTypes } from '../../engine/model.ts';
import { suggestionMeanings, suggestionReasons } from '../../forms/assumed-forms.ts';
import { closed, id, money, nullable, oneOf, quantity, whole, year } from '../../http/schemas.ts';
import { date } from './line-members.ts';

const totals = { proceeds: money, basis: money, adjustment: money, gain: money, count: whole() };
export const Totals = closed(totals, { title: 'Totals' });
const carried = closed({ short: money, long: money });

export const Summary = closed(
  {
    year,
    method: oneOf(lotMethods),
    shortTerm: Totals,
    longTerm: Totals,
    total: Totals,
    missingBasis: closed(totals, {
      description: 'The lines with an unknown basis, which is counted as zero: this much of the total is provisional.',
    }),
    washSaleDisallowed: money,
    washSalePermanent: t.String({ description: 'Of it, disallowed permanently: the replacement is in an IRA.' }),
    boxes: t.Array(closed({ box: oneOf(boxes), ...totals })),
    assets: t.Array(closed({ asset: t.String(), assetClass: oneOf(assetClasses), ...totals })),
    income: t.Array(closed({ type: oneOf(transactionTypes), amount: money, count: whole() })),
    contracts1256: closed(
      { gain: money, short: money, long: money, count: whole() },
      { description: 'Section 1256: Form 6781, not in the totals above.' },
    ),
    carryover: closed(
      { in: carried, out: carried, deductible: money },
      { description: 'Capital losses carried in and out, and what this year deducts: positive amounts.' },
    ),
    assumedForms: t.Array(
      closed({
        account: t.String(),
        boxes: t.Array(oneOf(boxes), { description: 'The boxes of its lines of the year.' }),
        form: oneOf([...informationReturns, 'none'], 'The form that is assumed for these lines.'),
        suggestedForm: nullable(
          oneOf(informationReturns, 'The form that its rows or its name suggest. Null if nothing does.'),
        ),
        because: nullable(oneOf(suggestionReasons, suggestionMeanings)),
        mayBeTaxFree: t.Boolean({
          description:
            'Its name says that it may be an IRA or the like, and its type is not stated: state both together.',
        }),
        text: t.String({ description: 'What is assumed, why, and how to confirm or change it.' }),
      }),
      {
        description:
          'The accounts with lines of the year whose settings state no form, by name. `PATCH /tax/settings` with `{"accounts": {"Schwab": {"type": "taxable", "form": "1099-B"}}}` states one, and `"none"` confirms that no form was issued.',
      },
    ),
    issues: whole({ description: 'Open issues of the year.' }),
    revision: t.String({ description: 'Names the state of the books; the same state has the same name.' }),
    asOf: nullable(t.String({ description: 'The day of the last transaction in the books; null without any.' })),
  },
  { title: 'Summary' },
);

const YearFigures = closed(
  {
    shortTerm: Totals,
    longTerm: Totals,
    total: Totals,
    washSaleDisallowed: money,
    income: money,
    deductible: t.String({ description: 'What of the losses this year deducts: a positive amount.' }),
    issues: whole(),
  },
  { title: 'YearFigures' },
);

/** A tax year before and after a change. */
export const YearChange = closed(
  { year, before: nullable(YearFigures), after: nullable(YearFigures) },
  { title: 'YearChange', description: 'Null where there is no activity.' },
);

export const YearLine = closed(
  {
    year,
    ...totals,
    shortTermGain: money,
    longTermGain: money,
    washSaleDisallowed: money,
    issues: whole(),
    locked: t.Boolean({ description: 'What would change its lines is refused.' }),
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
      t.String({ description: 'The first day on which a sale of it is long-term. Null if the purchase is unknown.' }),
    ),
  },
  { title: 'Lot' },
);

export const Calculation = closed(
  {
    id: t.String({ description: 'Of what is not kept, a dry run or another method, nothing is found by it later.' }),
    status: oneOf(['running', 'completed', 'failed']),
    revision: t.Optional(t.String()),
    transactions: t.Optional(whole()),
    disposals: t.Optional(whole()),
    openLots: t.Optional(whole()),
    durationMs: t.Optional(whole()),
    years: t.Array(Summary),
    differences: t.Array(closed({ year: whole(), member: t.String(), stored: t.String(), calculated: t.String() }), {
      description: 'What the stored summaries had otherwise: always empty, or it is our bug.',
    }),
    reports: t.Array(closed({ id, year: whole() })),
    problem: t.Optional(closed({ code: t.String(), detail: t.String() })),
  },
  { title: 'Calculation' },
);

/** A query parameter of what can be tried. */
export const dryRun = t.Optional(t.Boolean({ description: 'Nothing is kept: the answer shows what would be.' }));

/** What a change would do to the years. */
export const YearsPreview = closed(
  { years: t.Array(YearChange, { description: 'The tax years that would change.' }) },
  { title: 'YearsPreview', description: 'Of a dry run only.' },
);
