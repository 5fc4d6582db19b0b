import { Elysia, t } from 'elysia';
import { fileRefusals } from '../../../base/refusal.ts';
import { transactionTypes } from '../../../engine/model.ts';
import { download } from '../../../http/download.ts';
import { parseUuid } from '../../../http/errors.ts';
import { idempotent } from '../../../http/idempotency.ts';
import { group, recordedRead, write } from '../../../http/operations.ts';
import type { SaveResponse } from '../../../http/saved-response.ts';
import { closed, id, money, nullable, oneOf, problems, quantity, whole } from '../../../http/schemas.ts';
import type { Access, Taxpayer } from '../../people/auth/access.ts';
import { blobRefusals } from '../blobs/read.ts';
import { changedYears } from '../books/books.schemas.ts';
import type { ImportDeps } from './import-deps.ts';
import { Import } from './imports.schemas.ts';
import { importQuery, toImportOptions } from './options.ts';
import { originalText, readKeptFile } from './reread.ts';
import { runImport } from './run.ts';
import type { Upload } from './upload.ts';
import { type RereadView, rereadView } from './view.ts';

const row = {
  transactionId: t.String(),
  line: whole({ description: 'The line number in the imported file.' }),
  date: t.String(),
  type: oneOf(transactionTypes),
  account: t.String(),
  asset: t.String(),
  quantity: nullable(quantity),
  amount: nullable(money),
  externalId: nullable(t.String()),
};

const bought = {
  transactionId: '8dd4636e-78aa-432c-6c3c-694cd77a7fc6',
  line: 2,
  date: '2024-01-02',
  type: 'buy',
  account: 'Schwab',
  asset: 'AAPL',
  quantity: '10',
  amount: '1000.00',
  externalId: 'b1',
};
const example = {
  importId: '53c3ec83-a853-47ac-8706-22be23f30a70',
  against: 'f5a80716-6614-73e3-0fb1-7918089d5766',
  added: [],
  changed: [{ before: bought, after: { ...bought, amount: '1001.00' }, members: ['amount'] }],
  gone: [],
  truncated: false,
};

const lists = {
  added: t.Array(closed(row), { description: 'Rows in this import but not in the previous one.' }),
  changed: t.Array(
    closed({
      before: closed(row),
      after: closed(row),
      members: t.Array(t.String(), { description: 'The names of the fields that differ.' }),
    }),
    {
      description:
        'Rows with the same ID, or the same date, type and asset, but different values. If the later row is a proposal that you have not resolved (`row_differs`), `transactionId` is the ID that the row would get. Otherwise, both rows are in the books.',
    },
  ),
  truncated: t.Boolean({ description: 'Whether there are more rows than the lists contain.' }),
};

export const Changes = closed(
  {
    importId: id,
    against: nullable(
      t.String({
        description:
          'The ID of the previous import of the same kind of file that has an account and some days in common with this one. Null if there is none.',
      }),
    ),
    ...lists,
    gone: t.Array(closed(row), {
      description:
        'Rows of the previous import that are missing from this one, although it covers their days and accounts. They are still in the books.',
    }),
  },
  { title: 'ImportChanges', examples: [example] },
);

/** The differences between an import and the rows found by rereading its file. */
const ReadingDifferences = closed(
  {
    ...lists,
    added: t.Array(closed(row), { description: 'Rows that the reread found but the import does not contain.' }),
    changed: t.Array(lists.changed.items, { description: 'Rows that the reread found with different values.' }),
    gone: t.Array(closed(row), {
      description:
        'Rows that the import contains but the reread did not find. They are removed unless another file also contains them.',
    }),
  },
  { title: 'ReadingDifferences' },
);

const { format, account, timeZone, dateOrder, side } = importQuery;

const RereadBody = closed(
  {
    apply: t.Optional(
      t.Boolean({
        description: 'Set to true to replace the import with the new version. Otherwise, nothing is saved.',
      }),
    ),
    format,
    account,
    timeZone,
    dateOrder,
    side,
  },
  { title: 'RereadChanges', examples: [{ apply: false }] },
);

const RereadResult = closed(
  {
    applied: t.Boolean(),
    import: Import,
    changes: ReadingDifferences,
    years: changedYears,
  },
  { title: 'RereadResult' },
);

const { onBooks } = group('Imports');

/** Downloads and rereads the original file of an import. */
export const rereadRoutes = (deps: ImportDeps, access: Access) =>
  new Elysia({ prefix: '/imports' })
    .use(access)
    .get(
      '/:id/file',
      async ({ taxpayer, params }) => {
        const scope = { taxpayerId: taxpayer.id, importId: parseUuid(params.id) };
        const { fileName } = await readKeptFile(deps, scope);
        return download(deps, {
          fileName: fileName ?? 'import.csv',
          mediaType: 'text/csv; charset=utf-8; header=present',
          body: await originalText(deps, scope),
        });
      },
      onBooks('downloadImportFile', recordedRead(['read'], 'file_downloaded'), {
        summary: 'Download the original file',
        description:
          'Returns the text as uploaded, in UTF-8 without a byte order mark. For an FDX document, returns the lines that its forms are read as.',
        response: problems(...blobRefusals),
        detail: {
          responses: { 200: { description: 'CSV.', content: { 'text/csv': { schema: { type: 'string' } } } } },
        },
      }),
    )
    .post(
      '/:id/reread',
      (context) => {
        const { caller, taxpayer, params, body } = context;
        deps.rateLimits.take('work', caller.userId);
        const importId = parseUuid(params.id);
        context.server?.timeout(context.request, 0);
        return idempotent(deps, context, (saveResponse) => reread(deps, taxpayer, importId, body, saveResponse));
      },
      onBooks('importFileAgain', write('file_reread'), {
        summary: 'Reread the file of an import',
        description:
          'Uses the current formats and saved mappings, and the previous options unless the body sets others. Returns the differences between the old and the new version, and the new figures of the tax years. With `apply: true`, the new version replaces the import and gets its own id. Transactions in both versions keep their corrections and answers, and deleted transactions return.',
        body: RereadBody,
        response: {
          200: RereadResult,
          ...problems(
            'conflict',
            'year_locked',
            'plan_limit',
            'ambiguous_format',
            'ambiguous_file',
            ...fileRefusals,
            ...blobRefusals,
          ),
        },
      }),
    );

/** Imports the stored file again, like an upload. Uses the previous options unless others are set. */
async function reread(
  deps: ImportDeps,
  taxpayer: Taxpayer,
  importId: string,
  { apply = false, ...given }: typeof RereadBody.static,
  saveResponse: SaveResponse,
): Promise<{ readonly status: 200; readonly body: RereadView }> {
  const scope = { taxpayerId: taxpayer.id, importId };
  const { fileName, asked } = await readKeptFile(deps, scope);
  const options = toImportOptions({ ...asked, ...given, dryRun: !apply }, false);
  const upload: Upload = {
    fileName,
    content: await originalText(deps, scope),
    digest: () => saveResponse.heldKey?.fingerprint ?? '',
    readToEnd: async () => '',
    signal: new AbortController().signal,
  };
  const { body } = await runImport(deps, taxpayer, upload, options, saveResponse, { replaces: importId });
  return { status: 200, body: rereadView(body, apply) };
}
