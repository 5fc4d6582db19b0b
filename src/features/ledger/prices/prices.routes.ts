import { Elysia, status, t } from 'elysia';
import { csvRecord } from '../../../base/csv.ts';
import { parseDay } from '../../../base/day.ts';
import { fileRefusals } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { openCsv } from '../../../http/body.ts';
import { download } from '../../../http/download.ts';
import { notFound, parseDayParameter } from '../../../http/errors.ts';
import { idempotent } from '../../../http/idempotency.ts';
import { limitDefault, page, readCursor } from '../../../http/list.ts';
import { bringIn, group, read, write } from '../../../http/operations.ts';
import { closed, day, id, listOf, listQuery, oneOf, problems, rejectsSchema, whole } from '../../../http/schemas.ts';
import { dryRun, type TryChange, YearsPreview } from '../../../http/years-preview.ts';
import type { Access } from '../../people/auth/access.ts';
import type { Recompute } from '../transactions/change.ts';
import { inTurn } from '../transactions/store.ts';
import { neededPrices } from './price-needs.ts';
import { keepRequesting } from './price-requests.ts';
import { deletePrice, type ListedPrice, selectListedPrices } from './prices.queries.ts';
import { readPrices, storePrices } from './read-prices.ts';
import { keepFresh } from './refresh.ts';
import { outdatedBooks } from './valuations.ts';

const { onBooks } = group('Prices');

const example = `date,asset,usd
2024-12-31,BTC,93429.20
2024-12-31,AAPL,250.42
`;

/** The fields of a price: its amount and origin. */
export const priceMembers = {
  usd: t.String({ description: 'US dollars per unit.' }),
  source: t.String({ description: '`own` or the name of the provider.' }),
};

const Price = closed(
  {
    id,
    date: day,
    asset: t.String({ description: 'The name in the transactions, or a currency code.' }),
    ...priceMembers,
  },
  { title: 'Price' },
);

const PricesStored = closed(
  {
    rows: whole({ description: 'Lines after the header.' }),
    added: whole(),
    updated: whole({ description: 'Days whose price was replaced.' }),
    unchanged: whole(),
    rejected: whole(),
    books: whole({ description: 'Assets whose books were recomputed.' }),
    rejects: rejectsSchema('price'),
    preview: t.Optional(YearsPreview),
  },
  { title: 'PriceImportResult' },
);

interface PricesOptions {
  /** Recomputes the gains after a change. `app.ts` injects it, because gains depend on prices. */
  readonly recompute: Recompute;
  readonly tryChange: TryChange;
}

/** Manages prices, which value rows that have no dollar amount. */
export const prices = (deps: Deps, access: Access, { recompute, tryChange }: PricesOptions) => {
  let stops: (() => void)[] = [];
  return new Elysia({ prefix: '/prices' })
    .use(access)
    .onStart(() => {
      stops = [keepFresh(deps, recompute), keepRequesting(deps, recompute)];
    })
    .onStop(() => {
      for (const stop of stops) stop();
    })
    .use(neededRoutes(deps, access))
    .get(
      '',
      async ({ books, taxpayer, query: parameters }) => {
        const limit = parameters.limit ?? limitDefault;
        const after = readCursor(parameters.cursor, ['string', 'day', 'string']);
        const filter = {
          asset: parameters.asset ?? null,
          from: parseDayParameter('from', parameters.from),
          to: parseDayParameter('to', parameters.to),
          source: parameters.source ?? null,
        };
        const rows = await books.read((sql) => selectListedPrices(sql, taxpayer.id, filter, after ?? null, limit));
        return page(rows, limit, (row) => [row.asset, row.day, row.source], priceView);
      },
      onBooks('listPrices', read, {
        summary: 'List prices by asset and day',
        query: {
          ...listQuery,
          asset: t.Optional(t.String({ maxLength: 200 })),
          from: t.Optional(day),
          to: t.Optional(t.String({ description: 'A day (exclusive).' })),
          source: t.Optional(
            oneOf(['own', 'shared'], 'Only the taxpayer’s own prices, or only prices from providers.'),
          ),
        },
        response: { 200: listOf(Price) },
      }),
    )
    .post(
      '',
      async (context) => {
        const { request, server, taxpayer, caller, query } = context;
        deps.rateLimits.take('work', caller.userId);
        server?.timeout(request, 0);
        const { content, digest, readToEnd } = openCsv(request, 'the prices');
        const store = async (sql: Sql, read: Awaited<ReturnType<typeof readPrices>>) => {
          const stored = await storePrices(sql, taxpayer.id, read.prices, deps.clock.now(), recompute);
          const { rows, repeated, rejected, rejects } = read;
          return { rows, ...stored, unchanged: stored.unchanged + repeated, rejected, rejects: [...rejects] };
        };
        if (query.dryRun === true) {
          const read = await readPrices(content);
          return status(201, await tryChange(taxpayer.id, (sql) => store(sql, read)));
        }
        return idempotent(
          deps,
          context,
          async (saveResponse) => {
            const read = await readPrices(content);
            return inTurn(deps, taxpayer.id, async (sql) =>
              saveResponse(sql, { status: 201 as const, body: await store(sql, read) }, digest()),
            );
          },
          readToEnd,
        );
      },
      onBooks('importPrices', bringIn('prices_imported'), {
        summary: 'Upload prices',
        description:
          'Takes a CSV with the columns date, asset and usd: the value of one unit of an asset or a currency on a day. Uploading the same file again changes nothing. A new price replaces an earlier price for the same day, but not within one file. Lines without a price are rejected and listed. The others are stored. A file without any price is refused. The gains are recomputed.',
        parse: 'none',
        query: { dryRun },
        response: { 201: PricesStored, ...problems('year_locked', ...fileRefusals) },
        detail: { requestBody: { required: true, content: { 'text/csv': { schema: { type: 'string' }, example } } } },
      }),
    )
    .delete(
      '/:id',
      async ({ taxpayer, params }) => {
        const price = parsePriceId(params.id);
        await inTurn(deps, taxpayer.id, async (sql) => {
          if (!(await deletePrice(sql, taxpayer.id, price))) throw notFound();
          const touched = await outdatedBooks(sql, taxpayer.id);
          if (touched.size > 0) await recompute(sql, taxpayer.id, touched, { sources: 'same' });
        });
      },
      onBooks('deletePrice', write('price_deleted'), {
        summary: 'Delete a price',
        description: 'The gains are recomputed.',
        response: { 204: t.Void(), ...problems('year_locked') },
      }),
    );
};

function priceView(row: ListedPrice) {
  const name = new TextEncoder().encode(JSON.stringify([row.asset, row.day, row.source]));
  const priceId = name.toBase64({ alphabet: 'base64url', omitPadding: true });
  return { id: priceId, date: row.day, asset: row.asset, usd: row.usd, source: row.source };
}

/** Decodes a price id. Only the taxpayer's own prices can be deleted. */
function parsePriceId(priceId: string): { asset: string; day: string } {
  try {
    const bytes = Uint8Array.fromBase64(priceId, { alphabet: 'base64url' });
    const [asset, on, source] = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown[];
    const isOwn = source === 'own' && typeof asset === 'string' && !asset.includes('\0');
    if (isOwn && typeof on === 'string' && parseDay(on) !== undefined) return { asset, day: on };
  } catch {
    // The id was not created by this service.
  }
  throw notFound();
}

const header = ['date', 'asset', 'usd', 'rows', 'alternatives', 'use'];

/** Returns the prices that open issues need, as a CSV to fill in. */
const neededRoutes = (deps: Deps, access: Access) =>
  new Elysia().use(access).get(
    '/needed',
    async ({ books, taxpayer }) => {
      const prices = await books.snapshot((sql) => neededPrices(sql, taxpayer.id));
      const lines = prices.map(({ day, asset, rows, alternatives, use }) => [
        day,
        asset,
        '',
        String(rows),
        alternatives.join(' '),
        use,
      ]);
      return download(deps, {
        fileName: 'lotbook-prices-needed.csv',
        mediaType: 'text/csv; charset=utf-8; header=present',
        body: new Blob([header, ...lines].map(csvRecord)).stream(),
      });
    },
    onBooks('listNeededPrices', read, {
      summary: 'Get the prices that open issues need',
      description:
        'A CSV with the columns date, asset, usd, rows, alternatives and use, sorted by date and asset. Fill in the empty column usd and send the file to POST /prices. `rows` is the number of rows that the price would value. `alternatives` are assets whose price for that day also works, because the price of one side of a trade is enough. `use` is what it values in one of these rows.',
      detail: {
        responses: {
          200: { description: 'The prices that are needed.', content: { 'text/csv': { schema: { type: 'string' } } } },
        },
      },
    }),
  );
