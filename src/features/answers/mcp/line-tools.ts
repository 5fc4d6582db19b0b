import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { requireFound } from '../../../http/errors.ts';
import { explainLine } from '../../gains/explanations/steps.ts';
import { deskFilters, readFormComparison } from '../../gains/reconciliation.routes.ts';
import { listLines } from '../../gains/years/years.routes.ts';
import { withBytes } from '../../ledger/blobs/read.ts';
import { buildObjectSchema, requireYear } from '../messages/tools.ts';
import { type OfferedTool, readingTools } from './offered-tool.ts';

/** The number of lines or entries in one result. About as many as a language model reads with care. */
const pageLength = 50;

const year = { type: 'integer', description: 'Tax year, such as 2025.' };
const cursor = { type: 'string', description: 'The nextCursor of the previous page.' };
const name = (description: string) => ({ type: 'string', maxLength: 200, description });

/** Returns the tools that read stored lines: the built-in assistant and the command have no such tools. */
export function lineTools(
  deps: Deps,
  taxpayerId: string,
  snapshot: <T>(look: (sql: Sql) => Promise<T>) => Promise<T>,
): OfferedTool[] {
  return readingTools([
    {
      name: 'lines',
      title: 'Lines of Form 8949',
      description: `Lists the lines of Form 8949 of a tax year, ${pageLength} at a time, with the totals of all lines that match. Each has an id for explain_line.`,
      quotesFiles: true,
      parameters: buildObjectSchema({ year, asset: name('Name in the books.'), account: name('Account.'), cursor }, [
        'year',
      ]),
      call: (input) => {
        const filter = textsIn(input, ['asset', 'account', 'cursor']);
        const request = { ...filter, year: requireYear(input.year), limit: pageLength };
        return snapshot((sql) => listLines(sql, taxpayerId, request));
      },
    },
    {
      name: 'explain_line',
      title: 'Explanation of a line',
      description:
        'Explains each column of one line of Form 8949: the value, the reason with its authority, the amounts it consists of, and the rows of the files that it comes from.',
      quotesFiles: true,
      parameters: buildObjectSchema({ id: { type: 'string', maxLength: 200, description: 'The id from lines.' } }, [
        'id',
      ]),
      call: async ({ id }) =>
        requireFound(
          await withBytes(deps, taxpayerId, (sql, bytes) => explainLine({ sql, bytes }, taxpayerId, String(id)), {
            snapshot: true,
          }),
        ),
    },
    {
      name: 'compare_1099',
      title: 'Forms 1099 and the books',
      description: `Compares the Forms 1099-B and 1099-DA of a tax year with the lines of Form 8949: totals of each form, and ${pageLength} entries at a time with the reason for each difference.`,
      quotesFiles: true,
      parameters: buildObjectSchema(
        {
          year,
          show: { type: 'string', enum: deskFilters, description: 'The entries to list. Default: all.' },
          cursor,
        },
        ['year'],
      ),
      call: (input) => {
        const show = deskFilters.find((each) => each === input.show);
        const request = { ...textsIn(input, ['cursor']), year: requireYear(input.year), show, limit: pageLength };
        return readFormComparison(snapshot, taxpayerId, request);
      },
    },
  ]);
}

/** Returns the arguments with these names that are there. The server has validated that they are texts. */
function textsIn<Name extends string>(input: Readonly<Record<string, unknown>>, names: readonly Name[]) {
  const entries = names.flatMap((each) => (typeof input[each] === 'string' ? [[each, input[each]] as const] : []));
  return Object.fromEntries(entries) as { [Each in Name]?: string };
}
