import { Elysia } from 'elysia';
import { fileRefusals } from '../../../base/refusal.ts';
import { download } from '../../../http/download.ts';
import { parseUuid } from '../../../http/errors.ts';
import { idempotent } from '../../../http/idempotency.ts';
import { group, recordedRead, write } from '../../../http/operations/operations.ts';
import type { SaveResponse } from '../../../http/saved-response.ts';
import { problems } from '../../../http/schemas.ts';
import type { Access, Taxpayer } from '../../people/auth/access.ts';
import { blobRefusals } from '../blobs/read.ts';
import type { ImportDeps } from './import-deps.ts';
import { toImportOptions } from './options.ts';
import { RereadBody, RereadResult } from './reread.schemas.ts';
import { originalText, readKeptFile } from './reread.ts';
import { runImport } from './run.ts';
import type { Upload } from './upload.ts';
import { type RereadView, rereadView } from './view.ts';

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
  const { body } = await runImport(deps, taxpayer, upload, options, saveResponse, importId);
  return { status: 200, body: rereadView(body, apply) };
}
