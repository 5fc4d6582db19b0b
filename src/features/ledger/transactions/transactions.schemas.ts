import { type TSchema, t } from 'elysia';
import { assetMembers } from '../../../engine/events/same-assets.ts';
import { assetClasses, boxes, transactionTypes } from '../../../engine/model.ts';
import { extraMembers, type MemberKind, statementMembers } from '../../../engine/statement-members.ts';
import { closed, day, id, listOf, money, nullable, oneOf, quantity, whole } from '../../../http/schemas.ts';
import { YearsPreview } from '../../../http/years-preview.ts';
import { optionalMembers, usualMembers } from './view.ts';

const date = t.String({ description: 'RFC 3339 in UTC, or `YYYY-MM-DD` if the source had no time.' });

/** The response schema for each kind of value. */
const responseMembers = {
  type: oneOf(transactionTypes),
  name: t.String(),
  note: t.String(),
  currency: t.String(),
  class: oneOf(assetClasses, 'The class in the file, or derived from the account and the source.'),
  quantity,
  money,
  instant: t.String(),
  day: t.String(),
  ratio: t.String({ description: 'New units per old unit, such as `3:1`.' }),
  lots: t.String({ description: 'Lots to sell, as ids of the transactions that opened them and units: `b3:10;b1:5`.' }),
  right: oneOf(['call', 'put']),
  box: oneOf(boxes),
  term: oneOf(['short', 'long']),
} as const satisfies Record<MemberKind, TSchema>;

type SchemasOf<Name extends Member, ByKind extends Record<MemberKind, TSchema>> = {
  [Each in Name]: ByKind[(typeof statementMembers)[Each]['kind']];
};
type Member = keyof typeof statementMembers;

function buildSchemas<Name extends Member, ByKind extends Record<MemberKind, TSchema>>(
  names: readonly Name[],
  byKind: ByKind,
): SchemasOf<Name, ByKind> {
  const entries = names.map((name) => [name, byKind[statementMembers[name].kind]]);
  return Object.fromEntries(entries) as SchemasOf<Name, ByKind>;
}

/** The name of an asset in every list that contains the asset. */
export const assetName = t.Optional(
  t.String({
    description:
      'The name of the asset, such as `Apple`: the taxpayer’s own, the one in the newest file, or a common one. Omitted if unknown.',
  }),
);

export const Transaction = closed(
  {
    id,
    date,
    day: t.String({ description: "The date in the taxpayer's time zone, which determines the tax year." }),
    ...buildSchemas(usualMembers, { ...responseMembers, quantity: nullable(quantity), money: nullable(money) }),
    ...t.Partial(t.Object(buildSchemas(optionalMembers, responseMembers))).properties,
    assetName,
    statedNames: t.Optional(
      closed(
        { ...t.Partial(t.Object(Object.fromEntries(assetMembers.map((name) => [name, t.String()])))).properties },
        { description: 'The names in the file, if the setting `sameAs` of an asset gives it a different name.' },
      ),
    ),
    source: closed({
      importId: nullable(t.String({ description: 'The first import that it comes from; null if entered manually.' })),
      line: nullable(whole()),
      externalId: nullable(t.String({ description: "The source's ID for it." })),
      lines: t.Optional(
        t.Array(whole(), {
          description: 'All lines that it was made from. Only for a single transaction, like `raw`.',
        }),
      ),
      raw: t.Optional(
        nullable(
          t.String({
            description:
              'The text of those lines. Null for a manual entry, or if the import is from before files were stored.',
          }),
        ),
      ),
    }),
    review: t.Array(closed({ kind: t.String(), detail: t.String(), dollars: nullable(money) }), {
      description: 'Items to review.',
    }),
  },
  { title: 'Transaction' },
);

export const TransactionUpdateResult = closed(
  { ...Transaction.properties, preview: t.Optional(YearsPreview) },
  { title: 'TransactionUpdateResult' },
);

export const TransactionList = closed({
  ...listOf(Transaction).properties,
  count: t.Optional(whole({ description: 'Total number of matches. Only with `count=true`.' })),
});

export const TransactionDays = closed(
  {
    count: whole({ description: 'Total number of matches.' }),
    days: t.Array(closed({ date: day, count: whole() }), { description: 'Oldest first.' }),
  },
  { title: 'TransactionDays' },
);

const text = (lengthMax: number) => t.String({ maxLength: lengthMax });
const number = t.String({ maxLength: 64, description: 'A decimal string.' });

/** The request schema for each kind of value. */
const givenByKind = {
  type: oneOf(transactionTypes),
  name: text(200),
  note: text(10_000),
  currency: text(3),
  class: oneOf(assetClasses),
  quantity: number,
  money: number,
  instant: text(64),
  day: text(40),
  ratio: text(64),
  lots: text(10_000),
  right: oneOf(['call', 'put']),
  box: oneOf(boxes),
  term: oneOf(['short', 'long']),
} as const satisfies Record<MemberKind, TSchema>;

const givenMembers = [
  ...usualMembers.filter((name) => name !== 'type'),
  ...extraMembers,
  'externalId',
  'note',
] as const;
const inputSchemas = buildSchemas(givenMembers, givenByKind);
const when = t.String({ maxLength: 64, description: 'RFC 3339, `YYYY-MM-DD HH:MM:SS` or `YYYY-MM-DD`.' });

/** The columns in section 4 as camelCase names, with `externalId` for `id`. */
export const NewTransaction = closed(
  { date: when, type: oneOf(transactionTypes), ...t.Partial(t.Object(inputSchemas)).properties },
  {
    title: 'NewTransaction',
    examples: [
      { date: '2025-02-03', type: 'buy', account: 'Schwab', asset: 'MSFT', quantity: '5', amount: '2050.00', fee: '0' },
    ],
  },
);

/** A JSON merge patch. Null removes a value. */
export const TransactionUpdate = closed(
  {
    date: t.Optional(when),
    type: t.Optional(oneOf(transactionTypes)),
    ...nullables(inputSchemas),
  },
  { title: 'TransactionUpdate', examples: [{ fee: '0.50', note: 'As on the confirmation.' }] },
);

/** Makes properties optional and nullable for a patch. The schema above lists them. */
function nullables(properties: Readonly<Record<string, TSchema>>) {
  const entries = Object.entries(properties).map(([name, schema]) => [name, t.Optional(nullable(schema))]);
  return Object.fromEntries(entries) as { [Name in keyof typeof inputSchemas]: ReturnType<typeof optionalText> };
}

const optionalText = () => t.Optional(nullable(t.String()));
