import { t } from 'elysia';
import { assetClasses, issueKinds, issueKindTable } from '../../../engine/model.ts';
import { closed, day, id, nullable, oneOf, whole, year } from '../../../http/schemas.ts';
import { YearsPreview } from '../books/books.schemas.ts';
import { resolutionActions as actions, elsewhereActions } from './issues.queries.ts';

/** The maximum number of issues per request. */
export const batchMax = 500;
const ofClass = {
  assetClass: t.Optional(oneOf(assetClasses, 'The class of the asset, for `class`.')),
  collectible: t.Optional(
    t.Boolean({ description: 'Whether it is a collectible, for the `class` of a metals trust or an NFT.' }),
  ),
};
const number = t.String({ minLength: 1, maxLength: 64, description: 'A decimal string.' });

const kindsText = `Ways to resolve each kind, besides accepting it: ${issueKinds
  .map((kind) => `\`${kind}\`: ${issueKindTable[kind].resolvedBy}`)
  .join('; ')}.`;

export const Issue = closed(
  {
    id,
    kind: oneOf(issueKinds, kindsText),
    status: oneOf(['open', 'accepted', 'resolved']),
    year,
    otherYears: t.Array(year, { description: 'Other tax years whose reports are drafts because of the issue.' }),
    date: day,
    asset: t.String(),
    account: t.String(),
    transactions: t.Array(t.String(), {
      description: 'The row with the issue first, then the rows that led to it.',
    }),
    dollars: nullable(t.String({ description: 'The largest possible error in dollars. Null if unlimited.' })),
    units: nullable(t.String({ description: 'The units in question. Null if the issue is not about units.' })),
    closesOn: nullable(t.String({ description: 'The last day of an open wash sale window. Null otherwise.' })),
    detail: t.String(),
    proposals: t.Array(
      closed({
        action: oneOf(
          [...actions, ...elsewhereActions],
          'POST /prices resolves `price`, PATCH /account or /clients/:id with `timeZone` resolves `zone`, and POST /imports/:id/reread with `timeZone` resolves `zone_of_import`. PATCH /tax/settings with `formNameOf` of the asset resolves `form_name`, and with `sameAs` of the asset `same_asset`. POST …/resolve resolves the others.',
        ),
        detail: t.String(),
        with: t.Optional(t.String()),
        quantity: t.Optional(t.String()),
        asset: t.Optional(t.String()),
        date: t.Optional(day),
        importId: t.Optional(id),
        formNameOf: t.Optional(
          t.String({ description: 'The asset in the transactions that the form means, for `form_name`.' }),
        ),
        sameAs: t.Optional(t.String({ description: 'The security behind the name `asset`, for `same_asset`.' })),
        ...ofClass,
      }),
    ),
    resolution: nullable(
      closed({
        action: oneOf(actions),
        note: t.String(),
        at: t.String(),
        with: nullable(t.String({ description: 'The other leg of a pair.' })),
        transactionId: nullable(
          t.String({ description: 'The row that the resolution added: an opening lot or written contracts.' }),
        ),
        basis: t.Optional(t.String()),
        acquired: t.Optional(t.String()),
        quantity: t.Optional(t.String()),
        amount: t.Optional(t.String()),
        fee: t.Optional(t.String()),
        ...ofClass,
      }),
    ),
  },
  { title: 'Issue' },
);

export const IssueWithResolution = closed(
  { ...Issue.properties, preview: t.Optional(YearsPreview) },
  { title: 'IssueWithResolution' },
);

const resolutionMembers = {
  action: oneOf(actions),
  basis: t.Optional(number),
  acquired: t.Optional(t.String({ maxLength: 10, description: '`YYYY-MM-DD`.' })),
  quantity: t.Optional(number),
  amount: t.Optional(number),
  fee: t.Optional(number),
  ...ofClass,
  note: t.Optional(t.String({ maxLength: 2_000 })),
};

export const Resolution = closed(
  {
    ...resolutionMembers,
    with: t.Optional(t.String({ maxLength: 64, description: 'The transaction at the other end, for `pair`.' })),
    discounts: t.Optional(
      t.Array(closed({ year, amount: number }), {
        minItems: 1,
        maxItems: 50,
        description:
          'The original issue discount of each year (Form 1099-OID), for `add` of a `discount_unknown`. Each becomes a transaction.',
      }),
    ),
  },
  {
    title: 'Resolution',
    examples: [
      {
        action: 'basis',
        basis: '1150.00',
        acquired: '2022-08-15',
        note: 'Bought at an exchange that has since closed.',
      },
    ],
  },
);

/** The properties that select issues by id or by filter. */
const ofBatch = (state: string) => ({
  ids: t.Optional(
    t.Array(id, {
      minItems: 1,
      maxItems: batchMax,
      description: `${state} issues of one kind. Alternatively, set a filter.`,
    }),
  ),
  filter: t.Optional(
    closed(
      {
        kind: oneOf(issueKinds),
        year: t.Optional(year),
        asset: t.Optional(t.String({ maxLength: 200 })),
        account: t.Optional(t.String({ maxLength: 200 })),
      },
      { description: `The ${state.toLowerCase()} issues of this kind.` },
    ),
  ),
});

const exampleFilter = { filter: { kind: 'transfer_unpaired' } };

export const ResolveIssuesRequest = closed(
  { ...ofBatch('Open'), ...resolutionMembers },
  {
    title: 'ResolveIssuesRequest',
    examples: [{ ...exampleFilter, action: 'accept', note: 'Both ends are my own wallets.' }],
  },
);

export const ResolveIssuesResult = closed(
  {
    resolved: whole({ description: 'The number of issues resolved.' }),
    ids: t.Array(id, { description: 'Their ids, as POST /tax/issues/reopen takes them.' }),
    preview: t.Optional(YearsPreview),
  },
  { title: 'ResolveIssuesResult' },
);

export const ReopenIssuesRequest = closed(ofBatch('Answered'), {
  title: 'ReopenIssuesRequest',
  examples: [exampleFilter],
});

export const ReopenIssuesResult = closed({ ids: t.Array(id) }, { title: 'ReopenIssuesResult' });

export const TransferMatch = closed(
  {
    with: nullable(
      t.String({ description: 'The transaction at the other end; null if it has none or if the engine pairs it.' }),
    ),
    by: oneOf(['hand', 'engine'], 'The source of the pairing.'),
  },
  { title: 'TransferMatch' },
);
export const PairingInput = closed(
  { with: nullable(id), note: t.Optional(t.String({ maxLength: 2_000 })) },
  {
    title: 'NewTransferMatch',
    description: 'The other end; null if it has none.',
    examples: [{ with: null, note: 'Paid to another person.' }],
  },
);
