import { type TSchema, t } from 'elysia';
import { type Day, formatDay } from '../../../base/day.ts';
import { formatCents, formatQuantity } from '../../../base/decimal.ts';
import { boxes, type Disposal, type Line } from '../../../engine/model.ts';
import { urlSafe } from '../../../forms/lines.ts';
import { closed, day, id, money, nullable, oneOf, quantity } from '../../../http/schemas.ts';
import { assetName } from '../transactions/transactions.schemas.ts';

export const date = t.String({
  description: '`YYYY-MM-DD`, `INHERITED` or `VARIOUS`. Null if the purchase is unknown.',
});
const code = t.String({ description: 'The letters in column (f). Can be empty.' });
const term = nullable(oneOf(['short', 'long'], 'Null if the purchase is unknown. The line is then in Part I.'));
const sale = t.String({ description: 'The id of the transaction that disposed of the asset.' });

/** The fields of a line on Form 8949 in the API: the schema and the value of each. */
const members = {
  id: member(id, ({ disposal }) => urlSafe(disposal.id)),
  asset: member(t.String(), ({ disposal }) => disposal.asset),
  account: member(t.String(), ({ disposal }) => disposal.account),
  quantity: member(quantity, ({ disposal }) => formatQuantity(disposal.quantity)),
  acquired: member(nullable(date), ({ disposal }) => formatDateColumn(disposal, disposal.acquired)),
  heldSince: member(nullable(date), ({ disposal }) => formatDateColumn(disposal, disposal.heldSince)),
  sold: member(day, ({ disposal }) => formatDay(disposal.sold)),
  proceeds: member(money, ({ disposal }) => formatCents(disposal.proceeds)),
  basis: member(money, ({ disposal }) => formatCents(disposal.basis)),
  code: member(code, (line) => line.code),
  adjustment: member(money, ({ adjustment }) => formatCents(adjustment)),
  gain: member(money, ({ gain }) => formatCents(gain)),
  term: member(term, ({ disposal }) => (disposal.purchaseUnknown ? null : disposal.term)),
  box: member(oneOf(boxes), ({ disposal }) => disposal.box),
  saleId: member(sale, ({ disposal }) => urlSafe(disposal.saleId)),
  lotId: member(t.String(), ({ disposal }) => urlSafe(disposal.lotId)),
};

interface LineMember<Schema extends TSchema, Value> {
  readonly schema: Schema;
  of(line: Line): Value;
}

function member<Schema extends TSchema, Value extends Schema['static']>(
  schema: Schema,
  of: (line: Line) => Value,
): LineMember<Schema, Value> {
  return { schema, of };
}

type Members = typeof members;
type Schemas = { readonly [Name in keyof Members]: Members[Name]['schema'] };
type Values = { readonly [Name in keyof Members]: ReturnType<Members[Name]['of']> };

const entries = Object.entries<LineMember<TSchema, unknown>>(members);

export const lineSchema = closed(
  {
    ...(Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])) as Schemas),
    assetName,
    shortSale: t.Optional(t.Literal(true)),
    basisUnknown: t.Optional(t.Literal(true, { description: 'The basis is unknown and counts as zero.' })),
  },
  { title: 'Disposal' },
);

export function lineView(line: Line): Values & { readonly shortSale?: true; readonly basisUnknown?: true } {
  const view: Record<string, unknown> = {};
  for (const [name, { of }] of entries) view[name] = of(line);
  return { ...(view as Values), ...toDisposalMarks(line.disposal) };
}

function toDisposalMarks({ shortSale, basisUnknown }: Disposal) {
  return {
    ...(shortSale ? { shortSale: true as const } : {}),
    ...(basisUnknown ? { basisUnknown: true as const } : {}),
  };
}

/** Returns the date in column (b), which is empty for inherited property (IRC 1223(9)). */
function formatDateColumn({ acquiredVarious, inherited, purchaseUnknown }: Disposal, on: Day): string | null {
  if (purchaseUnknown) return null;
  if (acquiredVarious) return 'VARIOUS';
  return inherited ? 'INHERITED' : formatDay(on);
}
