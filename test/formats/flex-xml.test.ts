import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { draws } from '../support/depth.ts';
import { zip } from '../support/workbook.ts';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole, refusalOf, type Source } from './reading.ts';

const folder = join(import.meta.dir, '../fixtures/documents');
const bytesOf = (file: string): Uint8Array => new Uint8Array(readFileSync(join(folder, file)));
const fixtures = ['flex-activity.xml', 'flex-actions.xml', 'flex-funds.xml'];

const linesOf = async (source: Source): Promise<string[]> =>
  outcomeLines(await readWhole(source), 'Interactive Brokers').map((line) => line.replace(/^\S+ /, ''));

function query(sections: string, head = '<?xml version="1.0" encoding="UTF-8"?>\n'): string {
  return `${head}<FlexQueryResponse queryName="Q" type="AF"><FlexStatements count="1"><FlexStatement accountId="U1">
${sections}
</FlexStatement></FlexStatements></FlexQueryResponse>`;
}

const trade = (id: string, more = ''): string =>
  `<Trade currency="USD" assetCategory="STK" symbol="KO" tradeID="${id}" dateTime="20240105;093105" tradeDate="20240105" quantity="10" tradePrice="60" tradeMoney="600" ibCommission="-1" buySell="BUY" ${more}/>`;

describe('a Flex query in XML', () => {
  test('has the same transactions as the CSV of the same query', async () => {
    const [xml, csv] = [await linesOf(bytesOf('flex-activity.xml')), await linesOf(bytesOf('flex-activity.csv'))];
    expect(xml).toEqual(csv);
    expect(xml.length).toBeGreaterThan(5);
  });

  test('has corporate actions and transfers of each account, as in activity statements', async () => {
    expect(await linesOf(bytesOf('flex-actions.xml'))).toEqual([
      '2024-01-10T14:31:05Z buy @U0000001 ACME quantity=10 amount=800.00 fee=1.00 id=301',
      '2024-01-11T14:31:05Z buy @U0000001 OLDCO quantity=20 amount=100.00 fee=1.00 id=302',
      '2024-06-08T00:25:00Z split @U0000001 ACME ratio=4:1',
      '2024-08-01 sell @U0000001 OLDCO quantity=20 amount=130.00',
      'REJECTED Description: incomplete_action',
      'REJECTED null: canceled',
      '2024-02-05 deposit @U0000001 KO quantity=25',
      '2024-01-10T14:31:05Z buy @U0000002 ACME quantity=5 amount=400.00 fee=1.00 id=303',
      '2024-06-08T00:25:00Z split @U0000002 ACME ratio=4:1',
      'REJECTED null: unread_section',
    ]);
  });

  test('with only a statement of funds is read like its CSV', async () => {
    expect(await linesOf(bytesOf('flex-funds.xml'))).toEqual([
      '2024-03-01 dividend @U0000003 ACME amount=12.50 id=7',
      'REJECTED null: unread_section',
      '2024-01-05 interest @U0000003 amount=0.40 id=8',
    ]);
  });

  test('reads the same in a ZIP, in gzip, in UTF-16 and in pieces of any size', async () => {
    for (const file of fixtures) {
      const bytes = bytesOf(file);
      const whole = await readWhole(bytes);
      const text = new TextDecoder().decode(bytes).replace('UTF-8', 'UTF-16');
      const utf16 = new Uint8Array(Uint16Array.from(`\uFEFF${text}`, (letter) => letter.charCodeAt(0)).buffer);
      const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.subarray(7 * at, 7 * at + 7));
      for (const way of [gzipSync(bytes), await zip({ [file]: bytes }), utf16, pieces])
        expect((await readWhole(way)).drafts).toEqual(whole.drafts);
    }
  });

  test('is found although a thousand rows without transactions come first', async () => {
    const day = '<EquitySummaryByReportDateInBase accountId="U1" reportDate="20240105" cash="1" />';
    const { drafts, end } = await readWhole(
      query(`<EquitySummaryInBase>${day.repeat(1_000)}</EquitySummaryInBase><Trades>${trade('1')}</Trades>`),
    );
    expect(drafts.map(({ asset }) => asset)).toEqual(['KO']);
    expect([end.read, end.skipped]).toEqual([1, 1_001]);
  });

  test('keeps the element and the line of a row that is rejected', async () => {
    const { outcomes } = await readWhole(
      query(`<Trades>\n${trade('1')}\n${trade('2').replace('"10"', '"ten"')}</Trades>`),
    );
    const [issue] = outcomes.flatMap((outcome) => (outcome.kind === 'rejected' ? [outcome.issue] : []));
    expect(issue).toMatchObject({ column: 'Quantity', code: 'bad_number' });
    expect(issue?.cells.slice(0, 4)).toEqual(['DATA', 'TRNT', 'Trade', '5']);
  });

  test('reads dates in each of the forms that can be chosen', async () => {
    const at = async (dateTime: string) =>
      (await readWhole(query(`<Trades>${trade('1').replace('20240105;093105', dateTime)}</Trades>`))).drafts.map(
        (one) => one.at,
      );
    const [usual] = await at('20240105;093105');
    for (const form of [
      '20240105 093105',
      '2024-01-05;09:31:05',
      '2024-01-05, 093105',
      '01/05/2024;093105',
      '05-Jan-24;09:31:05',
    ])
      expect({ form, at: await at(form) }).toEqual({ form, at: [usual as never] });
  });

  test('is refused with a sentence if it is damaged, empty or made to exhaust a server', async () => {
    const damaged = (what: string): string =>
      `This Flex query is damaged: the file ${what}. Download it again, or run the query as CSV.`;
    const whole = query(`<Trades>${trade('1')}</Trades>`);
    const bomb = '<!DOCTYPE a [<!ENTITY b "cccccccccc"><!ENTITY d "&b;&b;&b;">]>';
    const cases: readonly (readonly [string, string])[] = [
      [query(`<Trades>${trade('1')}</Trades>`, bomb), damaged('contains a document type')],
      [query('<A>'.repeat(10_000)), damaged('has elements that are nested more than 16 deep')],
      [query(`<A b="${'c'.repeat(5_000_000)}"/>`), damaged('has a tag or a text that is too long')],
      [
        query('<CashReport><CashReportCurrency total="1"/></CashReport>'),
        'This Flex query has no trades and no cash transactions. Add the sections "Trades" and "Cash Transactions" to the query.',
      ],
      [
        '<FlexStatementResponse timestamp="1"><Status>Fail</Status><ErrorCode>1012</ErrorCode><ErrorMessage>Token has expired.</ErrorMessage></FlexStatementResponse>',
        'This is an answer without data. Interactive Brokers answered "Token has expired.". Run the query again.',
      ],
    ];
    for (const [text, detail] of cases) expect(await refusalOf(text)).toBe(detail);
    for (const text of [
      whole.slice(0, -9),
      whole.slice(0, 300),
      whole.replace('</Trades>', ''),
      whole.replace('symbol=', 'symbol'),
      whole.replace('KO', '&lol;'),
    ])
      expect(await refusalOf(text)).toStartWith('This Flex query is damaged: the file is not valid XML (');
    const mixed = Buffer.concat([Buffer.from(whole.replace('KO', '株')), Buffer.from([0xe9])]);
    expect(await refusalOf(new Uint8Array(mixed))).toBe(
      'This Flex query is damaged: on line 4, the bytes are not UTF-8 text. Download it again, or run the query as CSV.',
    );
  });

  test('gives every row of any sections back as read, skipped or rejected', async () => {
    const value = fc.constantFrom(
      '',
      '10',
      '-10',
      '0',
      'x',
      '20240105',
      '18991231',
      '600.5',
      'ACME(US1) SPLIT 2 FOR 1 (ACME, A, US1)',
    );
    const row = fc.record({
      section: fc.constantFrom(
        'Trades',
        'CashTransactions',
        'CorporateActions',
        'Transfers',
        'StmtFunds',
        'OpenPositions',
        'Vendor',
      ),
      element: fc.constantFrom('Trade', 'Order', 'Row', 'Transfer'),
      names: fc.uniqueArray(
        fc.constantFrom(
          'symbol',
          'quantity',
          'amount',
          'date',
          'dateTime',
          'description',
          'type',
          'tradePrice',
          'direction',
          '__proto__',
        ),
        { minLength: 1 },
      ),
      value,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 10 }), async (rows) => {
        const text = rows.map(
          ({ section, element, names, value: each }) =>
            `<${section}><${element} ${names.map((name) => `${name}="${each}"`).join(' ')}/></${section}>`,
        );
        const { end, outcomes } = await readWhole(query(`<Trades>${trade('1')}</Trades>${text.join('')}`));
        expect(end.read + end.skipped + end.rejected).toBe(end.rows);
        const headers = outcomes.filter(
          (outcome) => outcome.kind === 'skipped' && outcome.reason === 'Header row',
        ).length;
        expect(end.rows - headers).toBe(1 + rows.length);
      }),
      { numRuns: draws(100, 2_000) },
    );
  });
});
