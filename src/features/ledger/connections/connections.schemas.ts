import { t } from 'elysia';
import { closed, FailureReason, id, instant, notBlank, nullable, oneOf, whole } from '../../../http/schemas.ts';
import { exchangeKinds } from './exchanges/exchange.ts';

const keyLengthMax = 500;
const secretLengthMax = 4_000;
const accountLengthMax = 200;

const kind = oneOf(exchangeKinds, 'The service. `GET /config` lists those that this server connects to.');

export const Connection = closed(
  {
    id,
    kind,
    account: t.String({ description: 'The account of its rows in the books.' }),
    automatic: t.Boolean({ description: 'Whether it is synced once a day.' }),
    state: oneOf(
      ['idle', 'syncing', 'waiting', 'failed'],
      '`syncing`: a sync is running or about to begin. `waiting`: the service asked to wait, and the sync continues at `nextSyncAt`. `failed`: see `problem`.',
    ),
    progress: nullable(
      closed({ pages: whole({ description: 'The pages that the current sync has read.' }) }, { title: 'SyncProgress' }),
    ),
    problem: nullable(FailureReason),
    lastSyncAt: nullable(instant),
    nextSyncAt: nullable(instant),
    lastImportId: nullable(
      t.String({ description: 'The import of the last sync that brought rows. It can be undone like any other.' }),
    ),
    createdAt: instant,
  },
  {
    title: 'Connection',
    description: 'A read-only connection to an exchange or broker. Its keys are never returned.',
  },
);

export const NewConnection = closed(
  {
    kind,
    key: t.String({
      minLength: 1,
      maxLength: keyLengthMax,
      ...notBlank,
      description: 'The API key: the key name of Coinbase, the API key of Kraken, or the query ID of a Flex query.',
    }),
    secret: t.String({
      minLength: 1,
      maxLength: secretLengthMax,
      ...notBlank,
      description: 'The private key, or the token of the Flex Web Service. It is stored encrypted and never returned.',
    }),
    account: t.Optional(
      t.String({
        minLength: 1,
        maxLength: accountLengthMax,
        ...notBlank,
        description:
          'The account of its rows in the books. Use the account of files that you imported before, so that their rows are recognized. Defaults to the name of the service. A Flex query names its own accounts.',
      }),
    ),
    automatic: t.Optional(t.Boolean({ description: 'Whether to sync once a day. Defaults to true.' })),
  },
  {
    title: 'NewConnection',
    examples: [{ kind: 'ibkr_flex', key: '987654', secret: '123456789012345678901234' }],
  },
);

export const ConnectionChange = closed(
  { automatic: t.Boolean() },
  { title: 'ConnectionChange', examples: [{ automatic: false }] },
);
