import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pdf } from '../pdf-file.ts';
import { workbook, zip } from '../workbook.ts';
import type { WalkStep } from './api-walk.ts';

const documents = join(import.meta.dir, '../../fixtures/documents');
const trades = 'date,type,account,asset,quantity,amount\n2024-01-09,buy,Packed,PEP,1,170.00\n';

/** A Form 1099-B with one sale, as its FDX document. */
const form = JSON.stringify({
  tax1099B: {
    taxYear: 2024,
    payer: { name1: 'Packed' },
    securityDetails: [
      {
        ...{ checkboxOnForm8949: 'A', symbol: 'PEP', numberOfShares: 1, dateAcquired: '2024-01-09' },
        ...{ dateOfSale: '2024-03-05', salesPrice: 165, costBasis: 170 },
      },
    ],
  },
});

/** A file for each media type of an import. The content decides how it is read. */
const files: Readonly<Record<string, () => Promise<string | Uint8Array> | string | Uint8Array>> = {
  'application/zip': () => zip({ 'trades.csv': trades }),
  'application/gzip': () => new Uint8Array(gzipSync(trades)),
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': () =>
    workbook([
      {
        name: 'Trades',
        rows: trades
          .trimEnd()
          .split('\n')
          .map((line) => line.split(',')),
      },
    ]),
  'application/x-ofx': () => readFileSync(join(documents, 'fidelity.ofx')),
  'application/vnd.intu.qfx': () => readFileSync(join(documents, 'schwab.qfx')),
  'application/xml': () => readFileSync(join(documents, 'flex-activity.xml')),
  'text/xml': () => readFileSync(join(documents, 'flex-funds.xml')),
  'application/pdf': () => pdf([{ name: '1099.json', content: form }]),
  'application/octet-stream': () => trades,
};

/** Returns a file of the step's media type. */
export async function importedFile({ mediaType }: WalkStep): Promise<string | Uint8Array> {
  const file = files[mediaType ?? ''];
  if (file === undefined) throw new Error(`Add a file of ${mediaType} to test/support/walk/import-files.ts.`);
  return await file();
}
