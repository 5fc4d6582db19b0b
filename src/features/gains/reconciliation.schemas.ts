import { t } from 'elysia';
import { boxes } from '../../engine/model.ts';
import { type DeskKind, deskKinds } from '../../forms/reconciliation/findings.ts';
import { closed, day, id, listOf, money, nullable, oneOf, quantity, whole, year } from '../../http/schemas.ts';
import { date } from '../ledger/books/line-members.ts';

const form = oneOf(['1099-B', '1099-DA']);
const kinds = Object.keys(deskKinds) as [DeskKind, ...DeskKind[]];

const figures = {
  proceeds: money,
  basis: money,
  adjustment: money,
  gain: money,
};

const Figures = closed({ ...figures, count: whole({ minimum: 0 }) }, { title: 'FormFigures' });

const Form = closed(
  {
    account: t.String(),
    form,
    corrected: t.Boolean({ description: 'Whether a corrected form replaced rows of this form.' }),
    shown: Figures,
    ours: Figures,
    difference: closed(figures, { description: 'Our amount less the form’s.' }),
    matched: whole({ minimum: 0 }),
    differing: whole({ minimum: 0 }),
    questions: whole({
      minimum: 0,
      description: 'Entries for which the taxpayer must decide whether the form or the books are right.',
    }),
  },
  { title: 'ReportedForm' },
);

const Entry = closed(
  {
    id,
    account: t.String(),
    form,
    date: day,
    asset: t.String(),
    kind: oneOf(kinds, 'The fields that differ between the form and the books.'),
    code: t.String({ description: 'Letters of column (f) that explain the difference.' }),
    value: money,
    asks: t.Boolean(),
    reason: t.String(),
    row: nullable(
      closed({
        transactionId: id,
        quantity: nullable(quantity),
        acquired: nullable(date),
        proceeds: money,
        basis: nullable(money),
        wash: nullable(money),
        box: nullable(oneOf(boxes)),
        term: nullable(oneOf(['short', 'long'])),
      }),
    ),
    lines: t.Array(
      closed({
        disposalId: id,
        lotId: t.String(),
        quantity,
        acquired: date,
        ...figures,
        code: t.String(),
        box: oneOf(boxes),
      }),
      { description: 'Our lines, one per lot. One row may have many, and many rows may share them.' },
    ),
  },
  { title: 'FormComparisonEntry' },
);

export const FormComparison = closed(
  { year, forms: t.Array(Form), ...listOf(Entry).properties },
  {
    title: 'FormComparison',
    description:
      'The Forms 1099 of a year compared with our lines: the totals of each form, and a page of its entries.',
  },
);
