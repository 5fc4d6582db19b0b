import { describe, expect, test } from 'bun:test';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { Refusal } from '../../src/base/refusal.ts';
import { listParts } from '../../src/formats/containers/container.ts';
import { draws } from '../support/depth.ts';
import { pdf } from '../support/pdf-file.ts';
import { zip } from '../support/workbook.ts';
import { readWhole, refusalOf, streamOf } from './reading.ts';

const form = (asset: string, proceeds = 500): string =>
  JSON.stringify({
    tax1099B: {
      taxYear: 2024,
      payer: { name1: 'Broker' },
      securityDetails: [
        {
          checkboxOnForm8949: 'A',
          symbol: asset,
          numberOfShares: 4,
          dateAcquired: '2024-01-05',
          dateOfSale: '2024-03-05',
          salesPrice: proceeds,
          costBasis: 400,
        },
      ],
    },
  });
const styles = ['plain', 'packed', 'object streams'] as const;

const withoutData =
  'This PDF has no tax data attached (FDX), and the numbers on its pages are not read. Download the form or your transactions as CSV from your broker.';

describe('a PDF with an FDX document', () => {
  test('reads like the document, however the PDF is written', async () => {
    const whole = await readWhole(form('AAPL'));
    expect(whole.drafts).toHaveLength(1);
    for (const style of styles) {
      const bytes = pdf([{ name: '1099.json', content: form('AAPL') }], style);
      const { drafts } = await readWhole(bytes);
      expect(drafts).toEqual(whole.drafts);
      expect((await readWhole(await zip({ 'form.pdf': bytes }))).drafts).toEqual(whole.drafts);
    }
  });

  test('is written by the test as another program reads it', async () => {
    for (const style of ['plain', 'packed'] as const) {
      const data = pdf([{ name: '1099.json', content: form('AAPL') }], style);
      const attachments = await (await getDocument({ data, verbosity: 0 }).promise).getAttachments();
      expect([...(attachments?.keys() ?? [])]).toEqual(['1099.json']);
    }
  });

  test('has a table for each document, and ignores other attachments', async () => {
    const files = [
      { name: 'logo.txt', content: 'picture' },
      { name: 'b.json', content: form('AAPL') },
      { name: 'da.json', content: form('KO') },
      { name: 'other.json', content: '{"a":1}' },
    ];
    const bytes = pdf(files, 'object streams');
    expect(await listParts(streamOf(bytes))).toEqual(['b.json', 'da.json']);
    expect((await readWhole(bytes, { part: 'da.json' })).drafts.map(({ asset }) => asset)).toEqual(['KO']);
    const archive = await zip({ 'a.pdf': bytes, 'paper.pdf': pdf([]), 'b.csv': 'a,b\n' });
    expect(await listParts(streamOf(archive))).toEqual(['a.pdf/b.json', 'a.pdf/da.json', 'paper.pdf', 'b.csv']);
  });

  test('has its last version after an incremental update', async () => {
    const data = deflateSync(form('AAPL', 700));
    const update = Buffer.concat([
      Buffer.from(`21 0 obj\n<< /Type /EmbeddedFile /Filter [/FlateDecode] /Length 22 0 R >>\nstream\r\n`),
      data,
      Buffer.from('\nendstream\nendobj\n22 0 obj\n1\nendobj\n'),
    ]);
    const bytes = new Uint8Array(Buffer.concat([pdf([{ name: 'a.json', content: form('AAPL') }]), update]));
    expect((await readWhole(bytes)).drafts.map(({ amount }) => amount)).toEqual([(700n * 10n ** 8n) as never]);
  });

  test('is refused with a sentence if it has none, is encrypted, damaged or made to exhaust a server', async () => {
    const file = { name: 'a.json', content: form('AAPL') };
    const bomb = pdf([{ name: 'a.json', content: `{"a":"${'0'.repeat(64_000_000)}"}` }]);
    const whole = pdf([file]);
    const broken = whole.slice();
    const at = Buffer.from(whole).indexOf('EmbeddedFile') + 90;
    broken.fill(0xff, at, at + 20);
    const other = Buffer.from(Buffer.from(whole).toString('latin1').replaceAll('FlateDecode', 'LZWDecode  '), 'latin1');
    const before = process.memoryUsage().rss;
    const cases: readonly (readonly [Uint8Array, string])[] = [
      [pdf([]), withoutData],
      [pdf([{ name: 'a.json', content: '{}' }]), withoutData],
      [new TextEncoder().encode('%PDF-1.7'), withoutData],
      [
        pdf([file], 'packed', '/Encrypt 9 0 R'),
        'This PDF is encrypted, so its attachments cannot be read. Save it without a password, or download the form or your transactions as CSV from your broker.',
      ],
      [bomb, 'The PDF unpacks to far more than its size. Split the file, or export it as CSV.'],
      [broken, 'This PDF is damaged: an attachment cannot be unpacked. Download it again, or export the form as CSV.'],
      [
        new Uint8Array(other),
        'This PDF is damaged: an attachment is packed in a way that is not read (LZWDecode). Download it again, or export the form as CSV.',
      ],
      [
        whole.slice(0, at),
        'This PDF is damaged: a stream has no end, so the file is truncated. Download it again, or export the form as CSV.',
      ],
    ];
    for (const [bytes, detail] of cases) expect(await refusalOf(bytes)).toBe(detail);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 ** 2);
  });

  test('is refused or read without a crash at whatever byte it is cut or changed', async () => {
    const bytes = pdf([{ name: 'a.json', content: form('AAPL') }], 'object streams');
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), fc.boolean(), async (at, byte, isCut) => {
        const outcome = await readWhole(isCut ? bytes.slice(0, at) : bytes.with(at, byte)).catch(
          (error: unknown) => error,
        );
        if (!(outcome instanceof Refusal)) expect(outcome).toHaveProperty('drafts');
      }),
      { numRuns: draws(200, 5_000) },
    );
  });
});
