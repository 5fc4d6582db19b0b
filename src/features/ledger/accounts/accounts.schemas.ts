import { t } from 'elysia';
import { accountTypes, assetClasses, informationReturns, lotMethods } from '../../../engine/model.ts';
import { suggestionMeanings, suggestionReasons } from '../../../forms/assumed-forms.ts';
import { closed, day, nullable, oneOf, whole } from '../../../http/schemas.ts';
import { AccountSettings } from '../settings/document.ts';

export const AccountInBooks = closed(
  {
    account: t.String({ description: 'The name of the account.' }),
    transactions: whole({
      description:
        'The number of rows in the account, including transfers into it. 0 if only the settings mention the account.',
    }),
    firstDate: nullable(day),
    lastDate: nullable(day),
    missingPurchases: whole({
      description: 'Open issues about sales whose purchase is missing, often because it is older.',
    }),
    gaps: t.Array(closed({ firstDate: day, lastDate: day }), {
      description: 'Periods of more than two months between its files that no file covers.',
    }),
    sources: t.Array(
      closed({
        format: nullable(
          t.String({ description: "The format's name as in GET /formats. Null for rows entered manually." }),
        ),
        name: t.String({ description: 'For people.' }),
        transactions: whole(),
      }),
    ),
    assetClasses: t.Array(oneOf(assetClasses), { description: 'The classes of the account’s assets.' }),
    settings: nullable(AccountSettings),
    method: nullable(oneOf(lotMethods, 'The account’s lot method. Null if it uses the default.')),
    suggested: closed(
      {
        type: nullable(oneOf(accountTypes, 'The account type that the name suggests.')),
        form: nullable(oneOf(informationReturns, 'The form that the rows or the name suggest.')),
        because: nullable(oneOf(suggestionReasons, suggestionMeanings)),
      },
      {
        description:
          'The form that determines the boxes on Form 8949: the one in the settings, or else the form of the account’s rows. A suggested type, or a form suggested by the name, has no effect until you set it.',
      },
    ),
  },
  {
    title: 'AccountInBooks',
    examples: [
      {
        account: 'Schwab Roth IRA',
        transactions: 42,
        firstDate: '2021-03-01',
        lastDate: '2025-12-30',
        missingPurchases: 0,
        gaps: [],
        sources: [{ format: 'schwab', name: 'Schwab transaction history', transactions: 42 }],
        assetClasses: ['fund', 'stock'],
        settings: null,
        method: null,
        suggested: { type: 'roth_ira', form: '1099-B', because: 'source' },
      },
    ],
  },
);
