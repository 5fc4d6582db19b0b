import { afterAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatCents } from '../../src/base/decimal.ts';
import { Messages } from '../../src/commands/report/messages.ts';
import { readBooks, readReportRequest } from '../../src/commands/report/report.ts';
import { buildFormDesk } from '../../src/forms/reconciliation/desk.ts';
import { reconciliationCsv, reconciliationReport } from '../../src/forms/reconciliation/statement.ts';
import type { ReportBooks } from '../../src/forms/report.ts';
import { readBytes } from '../forms/books.ts';
import { allText, readPdf } from '../forms/pdf.ts';
import { dataFolder } from '../support/process.ts';

const folder = dataFolder();
afterAll(() => folder.remove());

const header = 'date,type,account,asset,quantity,amount,fee,acquired,basis,box,asset_class,id,offered,wages';

async function readReportBooks(...rows: readonly string[]): Promise<ReportBooks> {
  const file = join(folder.path, 'rows.csv');
  writeFileSync(file, [header, ...rows].join('\n'));
  return readBooks(readReportRequest([file, '--year', '2026', '--format', 'reconciliation']), new Messages());
}

const readFound = async (...rows: readonly string[]): Promise<string[]> => entriesOf(await readReportBooks(...rows));

function entriesOf(books: ReportBooks): string[] {
  const { entries } = buildFormDesk(books);
  return entries.map(({ account, asset, kind, value, asks, parts }) => {
    return `${account} ${asset} ${kind} ${formatCents(value)} ${parts.length}${asks ? ' asks' : ''}`;
  });
}

const bought = '2026-01-05,buy,Exchange,BTC,1,50000,0,,,,crypto,b1';
const sold = '2026-03-05,sell,Exchange,BTC,1,60000,0,,,,crypto,s1';
const onForm = '2026-03-05,reported_sale,Exchange,BTC,1,60000,,2026-01-05,50000,G,crypto,f1';

describe('a row on a form', () => {
  test('is matched if it shows the same sale as the history', async () => {
    expect(await readFound(bought, sold, onForm)).toEqual(['Exchange BTC matched 0.00 1']);
  });

  test('may cover many lots, covered and noncovered (box 9 not checked)', async () => {
    const older = '2020-05-01,buy,Exchange,ETH,1,200,0,,,,crypto,b2';
    const newer = '2026-02-01,buy,Exchange,ETH,1,3000,0,,,,crypto,b3';
    const sale = '2026-04-01,sell,Exchange,ETH,2,6000,0,,,,crypto,s2';
    const row = '2026-04-01,reported_sale,Exchange,ETH,2,6000,,,3200,G,crypto,f2';
    const { entries } = buildFormDesk(await readReportBooks(older, newer, sale, row));
    expect(entries.map(({ parts }) => parts.length)).toEqual([2]);
    // The older lot is long-term, and the form has one box for both: code T on its line.
    expect(entries[0]?.code).toBe('T');
    const ofOneTerm = '2026-01-03,buy,Exchange,ETH,1,200,0,,,,crypto,b2';
    const { entries: same } = buildFormDesk(
      await readReportBooks(ofOneTerm.replace('2026-01-03', '2025-12-03'), newer, sale, row),
    );
    expect(same.map(({ kind, reason }) => `${kind}: ${reason}`)).toEqual([
      'matched: 2 lots, covered and noncovered on one row (box 9 is not checked).',
    ]);
  });

  test('may be one of many for one lot, whose parts then add up to the lot', async () => {
    const third = (id: string): string =>
      `2026-03-05,reported_sale,Exchange,BTC,0.${id === 'f3' ? '34' : '33'},${id === 'f3' ? '20400' : '19800'},,2026-01-05,${id === 'f3' ? '17000' : '16500'},G,crypto,${id}`;
    const { forms, entries } = buildFormDesk(
      await readReportBooks(bought, sold, third('f1'), third('f2'), third('f3')),
    );
    expect(entries.map(({ kind }) => kind)).toEqual(['matched', 'matched', 'matched']);
    expect(forms.map(({ ours, shown }) => [ours.gain, shown.gain])).toEqual([[1_000_000n, 1_000_000n]] as never);
  });

  test('is listed once, with the other account, if it is in another account', async () => {
    const elsewhere = onForm.replace('Exchange', 'Xchg Inc');
    expect(await readFound(bought, sold, elsewhere)).toEqual(['Xchg Inc BTC elsewhere 60000.00 0 asks']);
  });

  test('raises a question if it appears twice', async () => {
    const again = onForm.replace('f1', 'f9');
    expect(await readFound(bought, sold, onForm, again)).toEqual([
      'Exchange BTC matched 0.00 1',
      'Exchange BTC twice 60000.00 0 asks',
    ]);
  });

  test('is used unchanged in an account without a history', async () => {
    expect(await readFound(onForm)).toEqual(['Exchange BTC as_form 0.00 1']);
  });

  test('is replaced by a corrected form, also in the books', async () => {
    const wrong = onForm.replace(',60000,', ',66000,');
    const corrected = onForm.replace('f1', 'f1/corrected');
    expect(await readFound(bought, sold, wrong, corrected)).toEqual([
      'Exchange BTC replaced 0.00 0',
      'Exchange BTC matched 0.00 1',
    ]);
    const { lines, issues } = await readReportBooks(bought, sold, wrong, corrected);
    expect([lines.length, issues.length]).toEqual([1, 0]);
    const alone = await readReportBooks(wrong, corrected);
    expect(alone.lines.map(({ disposal }) => disposal.proceeds)).toEqual([6_000_000n] as never);
  });
});

test('a row of a supplement explains the form row of the same sale, with its wages', async () => {
  const form = '2026-06-22,reported_sale,Broker,ACME,25,4300,,2026-06-15,3400,A,stock,f1';
  const supplement = '2026-06-22,reported_sale,Broker,ACME,25,4300,,2026-06-15,3400,,stock,s1,2025-12-16,600';
  expect(await readFound(form, supplement)).toEqual(['Broker ACME wages 600.00 1', 'Broker ACME supplement 0.00 0']);
  const { forms } = buildFormDesk(await readReportBooks(form, supplement));
  expect(forms.map(({ corrected, shown, ours }) => [corrected, shown.gain, ours.gain])).toEqual([
    [false, 90_000n, 30_000n],
  ] as never);
  const bought = '2026-06-15,wages,Broker,ACME,25,4000,,,,,stock,w1';
  const sold = '2026-06-22,sell,Broker,ACME,25,4300,,,,,stock,x1';
  expect(await readFound(bought, sold, form, supplement)).toEqual([
    'Broker ACME basis 600.00 1 asks',
    'Broker ACME supplement 0.00 0',
  ]);
});

describe('a row on a form for an option', () => {
  const asset = 'XYZ 2026-04-17 C 50';
  const row = (on: string, type: string, rest: string): string => `${on},${type},Broker,${asset},1,${rest},option,`;

  test('matches a written option on the day it ends, however it ends', async () => {
    const written = row('2026-03-02', 'sell_to_open', '300,1,,,');
    const shown = row('2026-04-17', 'reported_sale', '299,,2026-04-17,0,A');
    const expired = row('2026-04-17', 'expire', ',,,,');
    expect(await readFound(written, expired, shown)).toEqual([`Broker ${asset} matched 0.00 1`]);
    const bought = row('2026-04-10', 'buy_to_close', '40,0,,,');
    const closed = row('2026-04-10', 'reported_sale', '299,,2026-04-10,40,A');
    expect(await readFound(written, bought, closed)).toEqual([`Broker ${asset} matched 0.00 1`]);
  });

  test('matches a Friday expiration with the one recorded on Monday', async () => {
    const held = row('2026-03-02', 'buy_to_open', '300,0,,,');
    const shown = row('2026-04-17', 'reported_sale', '0,,2026-03-02,300,A');
    const expired = row('2026-04-20', 'expire', ',,,,');
    expect(await readFound(held, expired, shown)).toEqual([`Broker ${asset} matched 0.00 1`]);
  });
});

test('a row that dates a sale by its settlement raises a question, here and as an issue', async () => {
  const settled = onForm.replace('2026-03-05', '2026-03-06');
  expect(await readFound(bought, sold, settled)).toEqual(['Exchange BTC date 60000.00 1 asks']);
  const { issues, lines } = await readReportBooks(bought, sold, settled);
  expect([issues.map(({ issue }) => issue), lines.length]).toEqual([['unreconciled'], 1]);
});

describe('a sale that no form shows', () => {
  const usdc = (id: string, amount: string, month: string): string[] => [
    `2026-01-02,buy,Exchange,USDC,${amount},${amount},0,,,,crypto,b${id}`,
    `2026-${month}-05,sell,Exchange,USDC,${amount},${amount},0,,,,crypto,s${id}`,
  ];

  test('needs no form for stablecoins up to $10,000 a year', async () => {
    const few = [bought, sold, onForm, ...usdc('2', '6000', '05'), ...usdc('3', '4000', '06')];
    expect(await readFound(...few)).toContain('Exchange USDC not_expected 0.00 1');
    const many = [bought, sold, onForm, ...usdc('2', '6000', '05'), ...usdc('3', '4000.01', '06')];
    expect(await readFound(...many)).toContain('Exchange USDC not_on_form 4000.01 1 asks');
  });

  test('sales of stablecoins are in the total of the form', async () => {
    const total = '2026-12-31,reported_total,Exchange,USDC,,12000,,,,,crypto,t1';
    const rows = [...usdc('2', '6000', '05'), ...usdc('3', '6000', '06')];
    expect(await readFound(...rows, total)).toEqual(['Exchange USDC matched 0.00 2']);
    expect(await readFound(...rows, total.replace('12000', '12500'))).toEqual(['Exchange USDC total 500.00 2 asks']);
  });

  test('NFTs up to $600 need no form', async () => {
    const nft = (amount: string): string[] => [
      '2026-01-02,buy,Exchange,APE-1,1,100,0,,,,nft,n1',
      `2026-05-02,sell,Exchange,APE-1,1,${amount},0,,,,nft,n2`,
    ];
    expect(await readFound(bought, sold, onForm, ...nft('600'))).toContain('Exchange APE-1 not_expected 0.00 1');
    expect(await readFound(bought, sold, onForm, ...nft('600.01'))).toContain(
      'Exchange APE-1 not_on_form 600.01 1 asks',
    );
  });

  test('digital assets up to $600 a year need no form at a payment processor', async () => {
    const paid = (amount: string): string[] => [
      '2026-01-02,buy,Exchange,LTC,1,100,0,,,,crypto,p1',
      `2026-05-02,spend,Exchange,LTC,1,${amount},0,,,,crypto,p2`,
    ];
    const rows = [bought, sold, onForm];
    expect(await readFound(...rows, ...paid('600'))).toContain('Exchange LTC not_on_form 600.00 1 asks');
    const processed = async (amount: string): Promise<string[]> => {
      const books = await readReportBooks(...rows, ...paid(amount));
      const accounts = { Exchange: { type: 'taxable', paymentProcessor: true } } as const;
      return entriesOf({ ...books, rules: { ...books.rules, accounts } });
    };
    expect(await processed('600')).toContain('Exchange LTC not_expected 0.00 1');
    expect(await processed('600.01')).toContain('Exchange LTC not_on_form 600.01 1 asks');
  });

  test('raises no question in an account without a form', async () => {
    expect(await readFound(bought, sold)).toEqual([]);
  });
});

test('the statement shows the differences as PDF and as CSV', async () => {
  const books = await readReportBooks(bought, sold, onForm.replace(',50000,', ',40000,'));
  const text = allText(await readPdf(await readBytes(reconciliationReport.render(books))));
  for (const words of ['Form 1099-DA: Exchange', '60,000.00', '40,000.00', 'Difference', 'Line, box G']) {
    expect(text).toContain(words);
  }
  const csv = new TextDecoder().decode(await readBytes(reconciliationCsv.render(books)));
  expect(csv.split('\r\n')[1]).toBe(
    'Exchange,1099-DA,Different basis,BTC,2026-03-05,1,60000.00,40000.00,,G,1,2026-01-05,60000.00,40000.00,B,-10000.00,10000.00,10000.00,yes,The basis on the form is not the basis of the lots sold.,DRAFT',
  );
});
