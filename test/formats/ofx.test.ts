import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parseMoney } from '../../src/base/decimal.ts';
import { Refusal } from '../../src/base/refusal.ts';
import type { Draft } from '../../src/formats/format.ts';
import { draws } from '../support/depth.ts';
import { zip } from '../support/workbook.ts';
import { readWhole, refusalOf, type Source } from './reading.ts';

const folder = join(import.meta.dir, '../fixtures/documents');
const bytesOf = (file: string): Uint8Array => new Uint8Array(readFileSync(join(folder, file)));
const fixtures = ['fidelity.ofx', 'schwab.qfx', 'interactive-brokers.ofx'];

/** Returns a draft without what its kind of file adds: its place, its text and its id. */
const contentOf = ({ line: _, note: _note, externalId: _id, earlierAccount: _earlier, ...content }: Draft) => content;

const heads = {
  sgml: 'OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nENCODING:USASCII\r\nCHARSET:1252\r\n\r\n',
  xml: '<?xml version="1.0" encoding="UTF-8"?>\n<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE"?>\n',
};

function statement(transactions: string, { head = heads.sgml, after = '' } = {}): string {
  return `${head}<OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><DTASOF>20241231</DTASOF><CURDEF>USD</CURDEF>
<INVACCTFROM><BROKERID>fidelity.com</BROKERID><ACCTID>12345678</ACCTID></INVACCTFROM>
<INVTRANLIST>${transactions}
</INVTRANLIST></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>${after}</OFX>`;
}

const buy = (id: string, total = '-600', memo = 'YOU BOUGHT'): string => `
<BUYSTOCK><INVBUY><INVTRAN><FITID>${id}<DTTRADE>20240105<MEMO>${memo}</INVTRAN><SECID><UNIQUEID>191216100<UNIQUEIDTYPE>CUSIP</SECID>
<UNITS>10<UNITPRICE>60<TOTAL>${total}<SUBACCTSEC>CASH<SUBACCTFUND>CASH</INVBUY><BUYTYPE>BUY</BUYSTOCK>`;

describe('an OFX file', () => {
  test('has the same transactions as the CSV of the same account', async () => {
    const [ofx, csv] = [await readWhole(bytesOf('fidelity.ofx')), await readWhole(bytesOf('fidelity.csv'))];
    expect([ofx.format, csv.format]).toEqual(['ofx', 'fidelity']);
    const sort = (drafts: readonly Draft[]): string[] =>
      drafts
        .map((draft) =>
          JSON.stringify(contentOf(draft), (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
        )
        .sort();
    expect(sort(ofx.drafts)).toEqual(sort(csv.drafts));
    expect(ofx.drafts.map(({ externalId }) => externalId)).toContain('20240103501');
  });

  test('reads the same in a ZIP, in gzip, in UTF-16 and in pieces of any size', async () => {
    for (const file of fixtures) {
      const bytes = bytesOf(file);
      const whole = await readWhole(bytes);
      const text = new TextDecoder().decode(bytes);
      const utf16 = new Uint8Array(Uint16Array.from(`\uFEFF${text}`, (letter) => letter.charCodeAt(0)).buffer);
      const ways: Source[] = [
        gzipSync(bytes),
        await zip({ [file]: bytes }),
        await zip({ [`${file}.gz`]: gzipSync(bytes) }),
        utf16,
        Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.subarray(7 * at, 7 * at + 7)),
      ];
      for (const way of ways) expect((await readWhole(way)).drafts).toEqual(whole.drafts);
    }
  });

  test('reads the same as SGML and as XML', async () => {
    const [sgml, xml] = [heads.sgml, heads.xml].map((head) => statement(buy('1') + buy('2'), { head }));
    const closed = xml?.replace(/<(\w+)>([^<\s][^<]*)(?=<)(?!<\/\1>)/g, '<$1>$2</$1>');
    expect((await readWhole(closed ?? '')).drafts).toEqual((await readWhole(sgml ?? '')).drafts);
  });

  test('lists the holdings of the account as balances, and the names of its securities', async () => {
    const { end } = await readWhole(bytesOf('schwab.qfx'));
    const balance = { account: 'Schwab ...5678', day: '2025-04-30', until: null, isLeast: false };
    expect(end.balances).toEqual([
      { ...balance, asset: 'ACME', quantity: '50' },
      { ...balance, asset: 'VOO', quantity: '12.545' },
    ]);
    expect(end.names).toContainEqual({ asset: 'VOO', name: 'VANGUARD 500 INDEX FUND ETF' });
    expect(end.numbers).toContainEqual({ asset: 'VOO', number: '922908363' });
    const two = await readWhole(bytesOf('interactive-brokers.ofx'));
    expect(two.end.accounts.map(({ account, rows }) => [account, rows])).toEqual([
      ['Interactive Brokers ...0001', 3],
      ['Interactive Brokers ...0002', 1],
    ]);
  });

  test('names the account unless the request does', async () => {
    const accounts = async (account?: string) =>
      new Set(
        (await readWhole(statement(buy('1')), account === undefined ? {} : { account })).drafts.map(
          (one) => one.account,
        ),
      );
    expect(await accounts()).toEqual(new Set(['Fidelity ...5678']));
    expect(await accounts('Mine')).toEqual(new Set(['Mine']));
  });

  test('keeps the cost that a transfer states as a note, because the lots of the other account give the cost', async () => {
    const transfer = (fields: string): string =>
      statement(`<TRANSFER><INVTRAN><FITID>T1<DTTRADE>20240610<MEMO>TOA</INVTRAN><SECID><UNIQUEID>KO<UNIQUEIDTYPE>TICKER</SECID>
<SUBACCTSEC>CASH<UNITS>25<TFERACTION>IN<POSTYPE>LONG${fields}</TRANSFER>`);
    const read = async (fields: string) => (await readWhole(transfer(fields))).drafts;
    const [plain] = await read('');
    expect(plain).toMatchObject({ type: 'deposit', note: 'TOA', basis: null, acquired: null });
    const cost = '<AVGCOSTBASIS>41.5<UNITPRICE>62.10<DTPURCHASE>20190312';
    expect(await read(cost)).toEqual([
      {
        ...(plain as Draft),
        note: 'TOA. Average cost basis in the file: 41.5. Unit price in the file: 62.10. Purchase date in the file: 2019-03-12',
      },
    ]);
    expect(await read('<AVGCOSTBASIS>0.00<UNITPRICE>0')).toEqual([plain as Draft]);
  });

  test('keeps the element and the line of a row that is rejected', async () => {
    const { outcomes } = await readWhole(statement(`${buy('1')}${buy('2', '1e99999')}`));
    const [issue] = outcomes.flatMap((outcome) => (outcome.kind === 'rejected' ? [outcome.issue] : []));
    expect(issue).toMatchObject({ line: 4, column: 'Total', code: 'bad_number' });
    expect(issue?.cells.slice(0, 3)).toEqual(['BUYSTOCK BUY', '12', '2']);
  });

  test('keeps text in any encoding, whatever its head says', async () => {
    const notes = async (bytes: Uint8Array) => (await readWhole(bytes)).drafts.map(({ note }) => note);
    const windows = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    expect(await notes(new TextEncoder().encode(statement(buy('1', '-600', 'Société 株'))))).toEqual(['Société 株']);
    expect(await notes(windows(statement(buy('1', '-600', 'Société'))))).toEqual(['Société']);
    expect(await notes(windows(statement(buy('1', '-600', 'A &lt; B &amp; C < D &#233; &e; &lol;'))))).toEqual([
      'A < B & C < D é &e; &lol;',
    ]);
    const mixed = Buffer.concat([new TextEncoder().encode(statement(buy('1', '-600', '株'))), windows('\n<!-- é -->')]);
    expect(await refusalOf(new Uint8Array(mixed))).toBe(
      'This OFX file is damaged: on line 13, the bytes are not UTF-8 text. Download it again, or export it as CSV.',
    );
  });

  test('is refused with a sentence if it is damaged, empty, of another kind, or made to exhaust a server', async () => {
    const whole = statement(buy('1'));
    const damaged = (what: string): string =>
      `This OFX file is damaged: ${what}. Download it again, or export it as CSV.`;
    const bomb = `<!DOCTYPE OFX [<!ENTITY a "${'b'.repeat(50)}"><!ENTITY c "&a;&a;&a;&a;">]>`;
    const bank = `${heads.sgml}<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>1</BANKACCTFROM></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
    const failed = `${heads.sgml}<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>15500<SEVERITY>ERROR<MESSAGE>Signon invalid</STATUS></SONRS></SIGNONMSGSRSV1></OFX>`;
    const cases: readonly (readonly [string, string])[] = [
      [whole.slice(0, -6), damaged('on line 7, OFX begins and is never closed, so the file is truncated')],
      [
        whole.slice(0, whole.indexOf('<UNITS>')),
        damaged('on line 10, INVBUY begins and is never closed, so the file is truncated'),
      ],
      [
        whole.slice(0, whole.indexOf('QUEIDTYPE')),
        damaged('on line 10, a tag is not complete, so the file is truncated'),
      ],
      [whole.replace('</INVTRAN>', ''), damaged('on line 10, INVTRAN begins and is not closed')],
      [whole.replace('</BUYSTOCK>', buy('2')), damaged('on line 10, BUYSTOCK begins and is not closed')],
      [whole.replace('<SECID>', '</SECID><SECID>'), damaged('on line 10, </SECID> closes nothing')],
      [
        whole.replace('<OFX>', `${bomb}<OFX>`),
        damaged('on line 7, there is a document type, which OFX files do not have'),
      ],
      [whole.replace('<UNITS>', '<A>'.repeat(10_000)), damaged('on line 11, elements are nested more than 40 deep')],
      [statement(buy('1', '-600', 'A'.repeat(20_000))), damaged('on line 10, the text of MEMO is too long')],
      [
        statement(`<XYZ>${Array.from({ length: 500 }, (_, at) => `<A${at}>1`).join('')}</XYZ>`),
        damaged('on line 9, XYZ has too many elements'),
      ],
      [heads.sgml, damaged('it ends after its first lines')],
      [
        bank,
        'This OFX file contains a bank or card account, which is not part of a gain, and no investment account. Download the activity of your brokerage account.',
      ],
      [
        failed,
        'This OFX file contains no investment account (INVSTMTRS). The broker answered "Signon invalid". Download the activity of your brokerage account.',
      ],
    ];
    for (const [text, detail] of cases) expect(await refusalOf(text)).toBe(detail);
  });

  test('is refused or read without a crash at whatever byte it is cut or changed', async () => {
    const bytes = bytesOf('schwab.qfx');
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), fc.boolean(), async (at, byte, isCut) => {
        const spoiled = isCut ? bytes.slice(0, at) : bytes.with(at, byte);
        const outcome = await readWhole(spoiled).catch((error: unknown) => error);
        if (outcome instanceof Refusal) return;
        const { end } = outcome as Awaited<ReturnType<typeof readWhole>>;
        expect(end.read + end.skipped + end.rejected).toBe(end.rows);
      }),
      { numRuns: draws(100, 3_000) },
    );
  });

  test('gives every amount of any transactions back as read, skipped or rejected', async () => {
    const element = fc.constantFrom(
      ...['BUYSTOCK', 'SELLSTOCK', 'INCOME', 'REINVEST', 'RETOFCAP', 'MARGININTEREST', 'INVEXPENSE', 'TRANSFER'],
      ...['INVBANKTRAN', 'JRNLFUND', 'SPLIT', 'CLOSUREOPT', 'SELLOPT', 'BUYDEBT', 'VENDOR.EXTRA'],
    );
    const detail = fc.constantFrom(
      '<BUYTYPE>BUY',
      '<SELLTYPE>SELL',
      '<INCOMETYPE>DIV',
      '<TRNTYPE>CREDIT',
      '<OPTACTION>EXPIRE',
      '',
    );
    const number = fc.constantFrom('10', '-10', '0', '1,5', '-600.00', 'x', '', '+00012.3400');
    const transaction = fc
      .tuple(element, detail, number, number, fc.constantFrom('20240105', '18991231', ''))
      .map(([name, extra, units, total, day]) => ({
        name,
        total,
        text: `\n<${name}><INVTRAN><FITID>1<DTTRADE>${day}</INVTRAN><SECID><UNIQUEID>191216100<UNIQUEIDTYPE>CUSIP</SECID><UNITS>${units}<TOTAL>${total}${extra}</${name}>`,
      }));
    const sumOf = (totals: readonly string[]): bigint =>
      totals.reduce((sum, text) => sum + (parseMoney(text.replace(',', '.').replace(/^\+0*/, '')) ?? 0n), 0n);
    await fc.assert(
      fc.asyncProperty(fc.array(transaction, { minLength: 1, maxLength: 12 }), async (transactions) => {
        const csv = await readWhole(statement(transactions.map(({ text }) => text).join('')), { keepText: true });
        expect(csv.end.read + csv.end.skipped + csv.end.rejected).toBe(transactions.length);
        const lines = csv.outcomes.flatMap((outcome) => [...outcome.lines]).sort((a, b) => a - b);
        expect(lines).toEqual(transactions.map((_, at) => at + 3));
        const stated = new Map(transactions.map(({ total }, at) => [at + 3, total]));
        expect(sumOf(lines.map((line) => stated.get(line) ?? ''))).toBe(sumOf(transactions.map(({ total }) => total)));
        for (const outcome of csv.outcomes) if (outcome.kind === 'skipped') expect(outcome.reason).not.toBe('');
      }),
      { numRuns: draws(100, 2_000) },
    );
  });
});
