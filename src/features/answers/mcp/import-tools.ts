import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../base/json.ts';
import { Refusal } from '../../../base/refusal.ts';
import { withoutAudit } from '../../../http/audit/audited-request.ts';
import { responseSaver } from '../../../http/saved-response.ts';
import { selectTaxpayer } from '../../ledger/books/books.queries.ts';
import type { ImportDeps } from '../../ledger/imports/import-deps.ts';
import { type ImportQuery, importQuery, toImportOptions } from '../../ledger/imports/options.ts';
import { runImport } from '../../ledger/imports/run.ts';
import { textUpload } from '../../ledger/imports/upload.ts';
import { requirePermission } from '../../people/auth/access.ts';
import type { Questioner } from '../messages/converse.ts';
import { buildObjectSchema } from '../messages/tools.ts';
import type { OfferedTool } from './offered-tool.ts';

/** A file sent by a program. The server has validated it against the schema below. */
interface SentFile extends Pick<ImportQuery, 'format' | 'account' | 'timeZone' | 'dateOrder' | 'side'> {
  readonly content: string;
  readonly fileName?: string;
  readonly mapping?: Readonly<Record<string, unknown>>;
  readonly confirmation?: string;
}

const text = (description: string, maxLength = 200) => ({ type: 'string', minLength: 1, maxLength, description });

const { account, timeZone, dateOrder, side } = importQuery;
const fileMembers = {
  content: text(
    'The whole, unchanged text of the CSV file. Files above 900 kB need POST /v1/transactions/import.',
    1_000_000,
  ),
  fileName: text('The name of the file, as the taxpayer knows it.'),
  format: text('A format from GET /v1/formats. By default it is detected from the header.'),
  account,
  timeZone,
  dateOrder,
  side,
  mapping: {
    type: 'object',
    description:
      'The meaning of each column, as proposed by the error unknown_format. The taxpayer must have reviewed it.',
  },
};

const confirmation = text('The confirmation that preview_import returned for this file.', 100);

/**
 * Returns the two tools that import a file. `preview_import` returns a preview and stores nothing. The user reviews the
 * preview, and `import_file` confirms it. The server keeps no state between the calls, so any server can handle either
 * one.
 */
export function importTools(deps: ImportDeps, asker: Questioner, request: Request): OfferedTool[] {
  return [
    {
      name: 'preview_import',
      title: 'Preview a file',
      description:
        'Shows the result of importing a CSV file without storing anything: first rows, unreadable lines, changed years. Show it to the taxpayer. import_file requires the returned confirmation.',
      parameters: buildObjectSchema(fileMembers, ['content']),
      ...{ scope: 'import', writes: false, quotesFiles: true },
      call: async (input) => {
        const file = input as unknown as SentFile;
        await begin(deps, asker);
        const { upload, order, options } = await prepareImport(deps, asker, file, request);
        // A preview stores nothing, so no audit entry is recorded.
        const { body } = await withoutAudit(() =>
          runImport(deps, asker.taxpayer, upload, { ...options, dryRun: true }, responseSaver(null)),
        );
        return { confirmation: order, import: body };
      },
    },
    {
      name: 'import_file',
      title: 'Import a file',
      description:
        'Imports the rows of a CSV file and updates the books. Call it only after preview_import of the same file, and only if the taxpayer agreed. Duplicate rows are skipped.',
      parameters: buildObjectSchema({ ...fileMembers, confirmation }, ['content', 'confirmation']),
      ...{ scope: 'import', writes: true, quotesFiles: true },
      call: async (input) => {
        const file = input as unknown as SentFile;
        await begin(deps, asker);
        const { upload, order, options } = await prepareImport(deps, asker, file, request);
        if (file.confirmation !== order) throw unconfirmed();
        const { body } = await runImport(deps, asker.taxpayer, upload, options, responseSaver(null));
        return { import: body };
      },
    },
  ];
}

/** Checks the write permission and the rate limit. The MCP request itself only requires read permission. */
async function begin(deps: ImportDeps, { caller, taxpayer }: Questioner): Promise<void> {
  deps.rateLimits.take('work', caller.userId);
  await requirePermission(deps, caller, taxpayer, 'write');
}

/**
 * Returns the upload, its options and its confirmation code (`order`). The code identifies the file, its reading
 * options and the revision of the books, so it becomes invalid if any of them changes. It is not a security measure,
 * because the caller may import anyway. It only prevents an import without a preview.
 */
async function prepareImport(deps: ImportDeps, { taxpayer }: Questioner, file: SentFile, request: Request) {
  const { content, fileName, mapping, confirmation: _, ...asked } = file;
  const options = toImportOptions(
    { ...asked, ...(mapping === undefined ? {} : { mapping: JSON.stringify(mapping) }), dryRun: false },
    false,
  );
  const { revision } = await deps.database.asTaxpayer(taxpayer.id, (sql) => selectTaxpayer(sql, taxpayer.id), {
    readOnly: true,
  });
  const bytes = new TextEncoder().encode(content);
  const hash = createHash('sha256').update(bytes);
  hash.update(canonicalJson([taxpayer.id, revision, { ...asked, mapping: mapping ?? null }]));
  return { upload: textUpload(fileName ?? null, bytes, request), order: hash.digest('hex').slice(0, 32), options };
}

function unconfirmed(): Refusal {
  return new Refusal(
    'conflict',
    'The confirmation does not match this file and the current books. Call preview_import again, and show the taxpayer the new preview.',
  );
}
