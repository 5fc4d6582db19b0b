import { t } from 'elysia';
import { assetClasses, boxes, lotMethods, transactionTypes } from '../../engine/model.ts';
import { closed, day, id, money, nullable, oneOf, quantity, whole, year } from '../../http/schemas.ts';
import { sourceRoles } from './tax/explain-sources.ts';

const totals = { proceeds: money, basis: money, adjustment: money, gain: money, count: whole() };
const carried = closed({ short: money, long: money });

export const Summary = closed(
  {
    year,
    method: oneOf(lotMethods),
    shortTerm: closed(totals),
    longTerm: closed(totals),
    total: closed(totals),
    washSaleDisallowed: money,
    washSalePermanent: t.String({ description: 'Of it, lost for good: the replacement is in an IRA.' }),
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
    issues: whole({ description: 'Open issues of the year.' }),
    revision: t.String({ description: 'Names the state of the books; the same state has the same name.' }),
    asOf: nullable(t.String({ description: 'The day of the last transaction in the books; null without any.' })),
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
    locked: t.Boolean({ description: 'What would change its lines is refused.' }),
  },
  { title: 'YearLine' },
);

const date = t.String({ description: '`YYYY-MM-DD`, `INHERITED` or `VARIOUS`.' });

export const Disposal = closed(
  {
    id,
    asset: t.String(),
    account: t.String(),
    quantity,
    acquired: date,
    heldSince: date,
    sold: day,
    proceeds: money,
    basis: money,
    code: t.String({ description: 'Column (f): letters, or empty.' }),
    adjustment: money,
    gain: money,
    term: oneOf(['short', 'long']),
    box: oneOf(boxes),
    saleId: t.String({ description: 'The transaction that disposed of it.' }),
    lotId: t.String(),
    shortSale: t.Optional(t.Literal(true)),
  },
  { title: 'Disposal' },
);

export const Lot = closed(
  {
    id,
    asset: t.String(),
    account: t.String(),
    quantity,
    acquired: date,
    heldSince: date,
    basis: money,
    longTermOn: t.String({ description: 'The first day on which a sale of it is long-term.' }),
  },
  { title: 'Lot' },
);

export const Explanation = closed(
  {
    disposal: Disposal,
    sources: t.Array(
      closed({
        role: oneOf(
          sourceRoles,
          'What it is to the line: `disposal` sold, `lot` opened the lot, `change` made another lot of it (a split, a transfer), `option` was exercised or assigned, `short` was closed, `denied` is the sale whose denied loss is in the basis, `replacement` denies the loss of this one.',
        ),
        transactionId: t.String(),
        type: oneOf(transactionTypes),
        date: t.String(),
        account: t.String(),
        asset: t.String(),
        quantity: nullable(quantity),
        amount: nullable(money),
        fee: nullable(money),
        file: nullable(t.String({ description: 'Null for a row entered by hand.' })),
        line: nullable(whole()),
        raw: nullable(t.String({ description: 'The lines that made the row, as the file has them.' })),
        currency: t.String({ description: 'Of the amounts above.' }),
        prices: t.Array(
          closed({
            figure: t.String({
              description: 'What it values: the `currency` of the amounts, the `basis`, or a number not stated.',
            }),
            asset: t.String(),
            date: day,
            usd: t.String({ description: 'US dollars of one unit.' }),
            source: t.String({ description: '`own`, or the provider.' }),
          }),
          { description: 'The prices by which the row was told in dollars.' },
        ),
        corrected: t.Boolean({ description: 'Corrected by hand: it says something else than `raw`, and that counts.' }),
        answers: t.Array(
          closed({
            action: oneOf(['basis', 'pair', 'value']),
            basis: nullable(t.String()),
            acquired: nullable(day),
            amount: nullable(t.String()),
            with: nullable(t.String({ description: 'The transaction that is the other end.' })),
            note: t.String(),
          }),
          { description: 'What was said of it when an issue was resolved, as it was given.' },
        ),
      }),
    ),
    washSales: t.Array(
      closed({
        replacementLotId: t.String(),
        replacementTransactionId: t.String(),
        quantity,
        disallowed: money,
        permanent: t.Boolean(),
      }),
    ),
    steps: t.Array(
      closed({
        column: t.String({ description: 'The column of Form 8949, as (d).' }),
        value: t.String(),
        text: t.String(),
        citations: t.Array(t.String()),
        parts: t.Array(closed({ text: t.String(), amount: money }), {
          description: 'What the amount is made of: these add up to it. Empty where the column is no sum.',
        }),
      }),
    ),
  },
  { title: 'Explanation' },
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
