import { createHash } from 'node:crypto';
import { canonicalJson } from '../../base/json.ts';
import { Refusal } from '../../base/refusal.ts';
import { dateOrderCodes } from '../../formats/cells/times.ts';
import { rowsSides } from '../../formats/format.ts';
import { aside } from '../../http/audit/audited-request.ts';
import { responseSaver } from '../../http/idempotency/saved-response.ts';
import { requirePermission } from '../auth/access.ts';
import { selectTaxpayer } from '../books/queries.ts';
import type { ImportDeps } from '../imports/import-deps.ts';
import { type ImportQuery, toImportOptions } from '../imports/options.ts';
import { runImport } from '../imports/run.ts';
import { textUpload } from '../imports/upload.ts';
import type { Asker } from '../messages/converse.ts';
import { buildObjectSchema } from '../messages/tools/arguments.ts';
import type { OfferedTool } from './offered-tool.ts';

/** A file as sent by a program. The server has checked the members against the schema below. */
interface SentFile extends Pick<ImportQuery, 'format' | 'account' | 'timeZone' | 'dateOrder' | 'side'> {
  readonly content: string;
  readonly fileName?: string;
  readonly mapping?: Readonly<Record<string, unknown>>;
  readonly confirmation?: string;
}

const text = (description: string, maxLength = 200) => ({ type: 'string', minLength: 1, maxLength, description });

const fileMembers = {
  content: text(
    'The whole, unchanged text of the CSV file. Files above 900 kB need POST /v1/transactions/import.',
    1_000_000,
  ),
  fileName: text('The file name that the taxpayer knows.'),
  format: text('One of GET /v1/formats. By default the header decides.'),
  account: text('The account of rows that name none.'),
  timeZone: text('The IANA time zone of times without an offset, such as America/New_York.'),
  dateOrder: {
    enum: dateOrderCodes,
    description: 'Which part comes first in 3/4/2025 or 25-03-04, if ambiguous_file asks.',
  },
  side: { enum: [...rowsSides], description: 'The order of the rows, if ambiguous_file asks.' },
  mapping: {
    type: 'object',
    description: 'The meaning of each column, as unknown_format proposes it. The taxpayer must have reviewed it.',
  },
};

const confirmation = text('The confirmation that preview_import returned for this file.', 100);

/**
 * An import takes two calls with a person between them. The first returns a preview and stores nothing. The second
 * confirms that preview. The server keeps no state between them, so any node can handle either call.
 */
export function importTools(deps: ImportDeps, asker: Asker, request: Request): OfferedTool[] {
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
        // A preview stores nothing, so there is nothing to record.
        const { body } = await aside(() =>
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

/** The request itself needs only read permission. These tools need more. */
async function begin(deps: ImportDeps, { caller, taxpayer }: Asker): Promise<void> {
  deps.rateLimits.take('work', caller.userId);
  await requirePermission(deps, caller, taxpayer, 'write');
}

/**
 * `order` identifies the file, its reading options and the revision of the books. If any of them changes, the preview
 * is no longer valid. It grants no permission, because its sender can import anyway. It keeps a program from importing
 * without a preview.
 */
async function prepareImport(deps: ImportDeps, { taxpayer }: Asker, file: SentFile, request: Request) {
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
