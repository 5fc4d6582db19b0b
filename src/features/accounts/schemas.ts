import { t } from 'elysia';
import { accountTypes, assetClasses, informationReturns, lotMethods } from '../../engine/model.ts';
import { suggestionMeanings, suggestionReasons } from '../../forms/assumed-forms.ts';
import { closed, day, nullable, oneOf, whole } from '../../http/schemas.ts';
import { AccountSettings } from '../settings/document.ts';

export const AccountInBooks = closed(
  {
    account: t.String({ description: 'Its name in the books.' }),
    transactions: whole({
      description: 'Rows of the account, and rows that move something into it. 0 if only the settings name it.',
    }),
    firstDate: nullable(day),
    lastDate: nullable(day),
    sources: t.Array(
      closed({
        format: nullable(t.String({ description: 'The name as in GET /formats; null for rows entered by hand.' })),
        name: t.String({ description: 'For people.' }),
        transactions: whole(),
      }),
    ),
    assetClasses: t.Array(oneOf(assetClasses), { description: 'The classes of its assets.' }),
    settings: nullable(AccountSettings),
    method: nullable(oneOf(lotMethods, 'Its own lot method; null if it uses the default.')),
    suggested: closed(
      {
        type: nullable(oneOf(accountTypes, 'The type that its name suggests.')),
        form: nullable(oneOf(informationReturns, 'The form that its rows or its name suggest.')),
        because: nullable(oneOf(suggestionReasons, suggestionMeanings)),
      },
      {
        description:
          'Unless the settings state a form, the form of its rows decides the boxes. A form suggested by the name, and the type, count only if set.',
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
        sources: [{ format: 'schwab', name: 'Schwab transaction history', transactions: 42 }],
        assetClasses: ['fund', 'stock'],
        settings: null,
        method: null,
        suggested: { type: 'roth_ira', form: '1099-B', because: 'source' },
      },
    ],
  },
);
