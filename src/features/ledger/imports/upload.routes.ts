import { Elysia } from 'elysia';
import { fileRefusals } from '../../../base/refusal.ts';
import { idempotent } from '../../../http/idempotency.ts';
import { bringIn, group } from '../../../http/operations/operations.ts';
import { prefersAsync } from '../../../http/prefer.ts';
import { binary, problems } from '../../../http/schemas.ts';
import type { Access } from '../../people/auth/access.ts';
import type { ImportDeps } from './import-deps.ts';
import { Import } from './imports.schemas.ts';
import { importQuery, toImportOptions } from './options.ts';
import { runImport } from './run.ts';
import { openUpload, packedTypes } from './upload.ts';

const { onBooks } = group('Imports');

export const uploadRoute = (deps: ImportDeps, access: Access) =>
  new Elysia().use(access).post(
    '/transactions/import',
    async (context) => {
      const { request, server, taxpayer, caller, query: parameters, set } = context;
      deps.rateLimits.take('work', caller.userId);
      const options = toImportOptions(parameters, prefersAsync(request));
      // Disables the idle timeout, because uploads have their own limit.
      server?.timeout(request, 0);
      const sent = await openUpload(request);
      const digest = (text: string): string => fingerprintOf(text, options);
      const savedResponse = await idempotent(
        deps,
        context,
        (saveResponse) =>
          runImport(deps, taxpayer, { ...sent, digest: () => digest(sent.digest()) }, options, saveResponse),
        async () => digest(await sent.readToEnd()),
      );
      const { id } = savedResponse.response;
      const client = parameters.client === undefined ? '' : `?client=${encodeURIComponent(parameters.client)}`;
      if (!options.dryRun) set.headers.location = `/v1/imports/${id}${client}`;
      if (savedResponse.code === 202) set.headers['preference-applied'] = 'respond-async';
      return savedResponse;
    },
    onBooks('importTransactions', bringIn('file_imported'), {
      summary: 'Import a file',
      description:
        'The file is a CSV, an Excel workbook (.xlsx), an FDX document, or a ZIP or gzip of one. The body is the file itself, or multipart/form-data with a part named `file`. A file with several tables is sent once for each, with `part`. Returns 201 once its rows are stored and the gains are up to date, 200 for a dry run, and with `Prefer: respond-async` 202 as soon as the file has arrived. Rows that are already stored count as duplicates. A line that cannot be read does not stop the others.',
      parse: 'none',
      query: importQuery,
      response: {
        200: Import,
        201: Import,
        202: Import,
        ...problems('plan_limit', 'conflict', 'year_locked', 'ambiguous_format', 'ambiguous_file', ...fileRefusals),
      },
      detail: {
        requestBody: {
          required: true,
          content: {
            // Listed first, because generated clients use the first content type.
            'multipart/form-data': { schema: { type: 'object', required: ['file'], properties: { file: binary } } },
            'text/csv': { schema: { type: 'string' }, example: exampleFile },
            ...Object.fromEntries(packedTypes.map((type) => [type, { schema: binary }])),
          },
        },
      },
    }),
  );

/** A file with a wash sale, crypto that moves between accounts, and crypto without a purchase. */
const exampleFile = `date,type,account,asset,quantity,amount,fee
2023-01-05,buy,Schwab,AAPL,20,2500.00,0
2024-02-01,sell,Schwab,AAPL,10,1850.00,1.50
2024-03-01,buy,Schwab,KO,100,6000.00,0
2024-11-20,sell,Schwab,KO,100,5600.00,0
2024-12-02,buy,Schwab,KO,40,2360.00,0
2024-12-16,dividend,Schwab,KO,,48.50,
2024-05-10T14:30:00Z,buy,Kraken,BTC,0.5,31000.00,50
2024-07-01T10:00:00Z,withdrawal,Kraken,BTC,0.1,,
2024-07-01T10:20:00Z,deposit,Ledger,BTC,0.1,,
2024-11-15T09:00:00Z,sell,Kraken,BTC,0.2,18200.00,30
2024-11-18T16:00:00Z,sell,Kraken,ETH,1,3100.00,5
`;

/** Returns a fingerprint of the request. The same file with different options is a different request. */
function fingerprintOf(digest: string, options: object): string {
  return `${digest} ${JSON.stringify(options)}`;
}
