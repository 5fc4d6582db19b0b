import { type TSchema, t } from 'elysia';
import { assetClasses, boxes, transactionTypes } from '../../engine/model.ts';
import { closed, id, money, nullable, oneOf, quantity, whole } from '../../http/schemas.ts';

const date = t.String({ description: 'RFC 3339 in UTC, or `YYYY-MM-DD` where the source had no time.' });

/** The columns of the Lotbook CSV that a transaction may state beside the ones every one has. */
const columns = {
  receivedAsset: t.String(),
  receivedQuantity: quantity,
  feeAsset: t.String(),
  feeQuantity: quantity,
  feeOwn: money,
  toAccount: t.String(),
  acquired: t.String(),
  basis: money,
  fmv: money,
  ratio: t.String({ description: '`3:1`: new units per old.' }),
  lots: t.String({ description: '`b3:10;b1:5`: units of the lots that the rows with these ids opened.' }),
  identifiedAt: t.String(),
  shares: quantity,
  underlying: t.String(),
  right: oneOf(['call', 'put']),
  box: oneOf(boxes),
  wash: money,
  term: oneOf(['short', 'long']),
  note: t.String(),
};

export const Transaction = closed(
  {
    id,
    date,
    type: oneOf(transactionTypes),
    account: t.String(),
    asset: t.String(),
    quantity: nullable(quantity),
    amount: nullable(money),
    fee: nullable(money),
    currency: t.String(),
    assetClass: oneOf(assetClasses, 'As stated, or as it follows from account and source.'),
    ...t.Partial(t.Object(columns)).properties,
    source: closed({
      importId: nullable(t.String({ description: 'The first import that it comes from; null for one by hand.' })),
      line: nullable(whole()),
      externalId: nullable(t.String({ description: 'The id that the source gave it.' })),
      lines: t.Optional(
        t.Array(whole(), {
          description: 'All the lines that made it. Only where one transaction is asked for, as `raw`.',
        }),
      ),
      raw: t.Optional(
        nullable(
          t.String({
            description:
              'Those lines as the file has them; null for one by hand or an import from before they were kept.',
          }),
        ),
      ),
    }),
    review: t.Array(closed({ kind: t.String(), detail: t.String(), dollars: money }), {
      description: 'What somebody should look at.',
    }),
  },
  { title: 'Transaction' },
);

const text = (lengthMax: number) => t.String({ maxLength: lengthMax });
const number = t.String({ maxLength: 64, description: 'A decimal string.' });

const given = {
  account: text(200),
  asset: text(200),
  quantity: number,
  amount: number,
  fee: number,
  currency: text(3),
  assetClass: oneOf(assetClasses),
  receivedAsset: text(200),
  receivedQuantity: number,
  feeAsset: text(200),
  feeQuantity: number,
  feeOwn: number,
  toAccount: text(200),
  acquired: text(40),
  basis: number,
  fmv: number,
  ratio: text(64),
  lots: text(10_000),
  identifiedAt: text(64),
  shares: number,
  underlying: text(200),
  right: oneOf(['call', 'put']),
  box: oneOf(boxes),
  wash: number,
  term: oneOf(['short', 'long']),
  externalId: text(200),
  note: text(10_000),
};
const when = t.String({ maxLength: 64, description: 'RFC 3339, `YYYY-MM-DD HH:MM:SS` or `YYYY-MM-DD`.' });

/** The columns of section 4 in camelCase, `externalId` for its `id`. */
export const TransactionGiven = closed(
  { date: when, type: oneOf(transactionTypes), ...t.Partial(t.Object(given)).properties },
  { title: 'TransactionGiven' },
);

/** A JSON merge patch: null takes a statement back. */
export const TransactionPatch = closed(
  {
    date: t.Optional(when),
    type: t.Optional(oneOf(transactionTypes)),
    ...nullables(given),
  },
  { title: 'TransactionPatch' },
);

/** The members as a patch may state them; the schema above lists them. */
function nullables(properties: Readonly<Record<string, TSchema>>) {
  const entries = Object.entries(properties).map(([name, schema]) => [name, t.Optional(nullable(schema))]);
  return Object.fromEntries(entries) as { [Name in keyof typeof given]: ReturnType<typeof optionalText> };
}

const optionalText = () => t.Optional(nullable(t.String()));
