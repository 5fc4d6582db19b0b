import { t } from 'elysia';
import { transactionTypes } from '../../../engine/model.ts';
import { closed, day, id, instant, money, nullable, oneOf, quantity, whole } from '../../../http/schemas.ts';
import { Lot } from '../../ledger/books/books.schemas.ts';
import { lineSchema } from '../../ledger/books/line-members.ts';
import { TransferMatch } from '../../ledger/issues/issues.schemas.ts';
import { priceMembers } from '../../ledger/prices/prices.routes.ts';
import { editActions } from '../../ledger/transactions/edits.queries.ts';
import { Transaction } from '../../ledger/transactions/transactions.schemas.ts';
import { sourceRoles } from './sources.ts';

const usedPrices = t.Array(
  closed({
    figure: t.String({
      description: 'The use of the price: for the `currency` of the amounts, the `basis`, or a missing amount.',
    }),
    asset: t.String(),
    date: day,
    ...priceMembers,
    time: t.String({ description: 'The time that the price is for.' }),
  }),
  { description: 'The prices that converted the row to dollars.' },
);

const corrected = t.Boolean({
  description: 'Whether the row was corrected manually. If so, the correction counts, not `raw`.',
});

const appliedResolutions = t.Array(
  closed({
    action: oneOf(['basis', 'pair', 'value']),
    basis: nullable(t.String()),
    acquired: nullable(day),
    amount: nullable(t.String()),
    with: nullable(t.String({ description: 'The other end of the transfer.' })),
    note: t.String(),
  }),
  { description: 'The resolutions of issues about this row.' },
);

export const Explanation = closed(
  {
    disposal: lineSchema,
    sources: t.Array(
      closed({
        role: oneOf(
          sourceRoles,
          'The role of the row in the line. `disposal`: sold the units. `lot`: opened the lot. `change`: changed the lot (a split, a transfer). `option`: was exercised or assigned. `short`: was closed. `denied`: a sale whose disallowed loss is in the basis. `replacement`: a purchase that disallows the loss of this line.',
        ),
        transactionId: t.String(),
        type: oneOf(transactionTypes),
        date: t.String(),
        day: Transaction.properties.day,
        account: t.String(),
        asset: t.String(),
        quantity: nullable(quantity),
        amount: nullable(money),
        fee: nullable(money),
        file: nullable(t.String({ description: 'Null for a row entered manually.' })),
        line: nullable(whole()),
        raw: nullable(t.String({ description: 'The lines of the file that the row comes from.' })),
        currency: t.String({ description: 'The currency of the amounts above.' }),
        prices: usedPrices,
        corrected,
        answers: appliedResolutions,
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
        column: t.String({ description: 'The column of Form 8949, such as (d).' }),
        value: t.String(),
        text: t.String(),
        citations: t.Array(t.String()),
        parts: t.Array(closed({ text: t.String(), amount: money }), {
          description: 'The parts that add up to the amount. Empty if the column is not a sum.',
        }),
      }),
    ),
  },
  { title: 'Explanation' },
);

/** `disposals`: lines that the transaction caused. `laterDisposals`: lines that sell lots opened by the transaction. */
const SomeDisposals = closed(
  {
    count: whole({ description: 'The number of all lines.' }),
    data: t.Array(lineSchema, { description: 'The first lines.' }),
  },
  { title: 'RelatedDisposals' },
);

export const TransactionDetail = closed(
  {
    ...Transaction.properties,
    sources: t.Array(
      closed(
        { importId: id, fileName: nullable(t.String()), format: nullable(t.String()), line: whole() },
        { title: 'TransactionSource' },
      ),
      { description: 'Every file that contains the transaction. Empty for a row entered manually.' },
    ),
    history: t.Array(
      closed(
        {
          editId: id,
          action: oneOf(editActions),
          at: instant,
          undoneAt: nullable(instant),
          members: t.Array(closed({ member: t.String(), before: t.String(), now: t.String() }), {
            description: 'The fields that differ between the row before the edit and now. Empty text means missing.',
          }),
        },
        { title: 'RowEdit' },
      ),
      { description: 'Its manual edits, oldest first.' },
    ),
    corrected,
    prices: usedPrices,
    answers: appliedResolutions,
    pairing: nullable(TransferMatch),
    income: t.Array(closed({ type: oneOf(transactionTypes), amount: money }), {
      description: 'The income from it.',
    }),
    openLots: t.Array(Lot, { description: 'The open part of the lots that it opened.' }),
    disposals: SomeDisposals,
    laterDisposals: SomeDisposals,
  },
  { title: 'TransactionDetail' },
);
