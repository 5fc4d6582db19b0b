import { Elysia } from 'elysia';
import { fileRefusals } from '../../../base/refusal.ts';
import { download } from '../../../http/download.ts';
import { uuidOf } from '../../../http/errors.ts';
import type { SaveResponse } from '../../../http/idempotency/saved-response.ts';
import { idempotent } from '../../../http/idempotency.ts';
import { booksQuery, idParams, problems } from '../../../http/schemas.ts';
import type { Access, Taxpayer } from '../../auth/access.ts';
import { blobRefusals } from '../../blobs/read.ts';
import type { ImportDeps } from '../import-deps.ts';
import { optionsOf } from '../options.ts';
import { runImport } from '../run.ts';
import type { Upload } from '../upload.ts';
import { type RereadView, rereadView } from '../view.ts';
import { originalText, readKeptFile } from './original.ts';
import { Reread, RereadGiven } from './schemas.ts';

const tags = ['Imports'];

/** The file of an import: as it was uploaded, and read once more. */
export const rereadRoutes = (deps: ImportDeps, access: Access) =>
  new Elysia({ prefix: '/imports' })
    .use(access)
    .get(
      '/:id/file',
      async ({ taxpayer, params }) => {
        const scope = { taxpayerId: taxpayer.id, importId: uuidOf(params.id) };
        const { fileName } = await readKeptFile(deps, scope);
        return download(deps, {
          fileName: fileName ?? 'import.csv',
          mediaType: 'text/csv; charset=utf-8; header=present',
          body: await originalText(deps, scope),
        });
      },
      {
        books: true,
        params: idParams,
        query: booksQuery({}),
        response: problems(...blobRefusals),
        detail: {
          summary: 'The original file',
          description:
            'Its text as it was uploaded, in UTF-8 without a byte order mark. Of an FDX document the lines that its forms are read as.',
          operationId: 'downloadImport',
          tags,
          responses: { 200: { description: 'CSV.', content: { 'text/csv': { schema: { type: 'string' } } } } },
        },
      },
    )
    .post(
      '/:id/reread',
      (context) => {
        const { caller, taxpayer, params, body } = context;
        deps.rateLimits.take('work', caller.userId);
        const importId = uuidOf(params.id);
        context.server?.timeout(context.request, 0);
        return idempotent(deps, context, (saveResponse) => reread(deps, taxpayer, importId, body, saveResponse));
      },
      {
        books: true,
        params: idParams,
        query: booksQuery({}),
        body: RereadGiven,
        response: {
          200: Reread,
          ...problems(
            'not_found',
            'conflict',
            'year_locked',
            'invalid',
            'plan_limit',
            'ambiguous_format',
            'ambiguous_file',
            ...fileRefusals,
            ...blobRefusals,
          ),
        },
        detail: {
          summary: 'Read the file of an import again',
          description:
            'By the formats and the remembered mappings of today, and as the import was read where the body does not say otherwise. The answer says how the two readings differ, and what the tax years become. With `apply: true` the new reading takes the place of the import, under an id of its own: rows that both have keep what was corrected or answered about them, and rows that were deleted come back.',
          operationId: 'rereadImport',
          tags,
        },
      },
    );

/** As an upload of the file that is kept, read as the import was where nothing else is said. */
async function reread(
  deps: ImportDeps,
  taxpayer: Taxpayer,
  importId: string,
  { apply = false, ...given }: typeof RereadGiven.static,
  saveResponse: SaveResponse,
): Promise<{ readonly status: 200; readonly body: RereadView }> {
  const scope = { taxpayerId: taxpayer.id, importId };
  const { fileName, asked } = await readKeptFile(deps, scope);
  const options = optionsOf({ ...asked, ...given, dryRun: !apply }, false);
  const upload: Upload = {
    fileName,
    content: await originalText(deps, scope),
    digest: () => saveResponse.heldKey?.fingerprint ?? '',
    readToEnd: async () => '',
    signal: new AbortController().signal,
  };
  const { body } = await runImport(deps, taxpayer, upload, options, saveResponse, importId);
  return { status: 200, body: rereadView(body, apply) };
}
