import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseMoney } from '../../src/base/decimal.ts';
import { writeLotbook } from '../../src/formats/sources/lotbook.ts';
import { histories } from '../oracle/histories/generate.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { type Cells, elect, electRules, fetchAll, importCsv } from '../support/books.ts';
import { draws } from '../support/depth.ts';
import { seedFor } from '../support/seed.ts';

const seed = seedFor('explain.test');
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface Step {
  readonly column: string;
  readonly value: string;
  readonly text: string;
  readonly citations: string[];
  readonly parts: { readonly text: string; readonly amount: string }[];
}

interface Source {
  readonly role: string;
  readonly type: string;
  readonly line: number | null;
  readonly corrected: boolean;
  readonly answers: { readonly action: string; readonly basis: string | null; readonly note: string }[];
}

interface ExplainedLine {
  readonly disposal: Cells;
  readonly sources: Source[];
  readonly steps: Step[];
}

const columns =
  'received_asset,received_quantity,ratio,to_account,underlying,shares,right,fmv,acquired,basis,lots,asset_class,id';

type FileRow = readonly [row: string, more?: Readonly<Record<string, string>>];

/** Builds a file with the columns `DATE,type,account,asset,quantity,amount,fee` and the given additional columns. */
function fileOf(...rows: readonly FileRow[]): string {
  const lines = rows.map(
    ([row, more = {}]) =>
      `${row},${columns
        .split(',')
        .map((name) => more[name] ?? '')
        .join(',')}`,
  );
  return `date,type,account,asset,quantity,amount,fee,${columns}\n${lines.join('\n')}\n`;
}

async function explained(client: TestClient): Promise<ExplainedLine[]> {
  const lines = await fetchAll<Cells>(client, '/v1/tax/disposals');
  const all: ExplainedLine[] = [];
  for (const { id } of lines) all.push(await client.json<ExplainedLine>('GET', `/v1/tax/disposals/${id}/explain`));
  return all;
}

async function readExplained(...rows: readonly FileRow[]): Promise<ExplainedLine[]> {
  const client = await app.register('PRO');
  await importCsv(client, fileOf(...rows));
  return explained(client);
}

function stepIn(line: ExplainedLine | undefined, column: string): Step {
  const step = line?.steps.find((one) => one.column === column);
  if (step === undefined) throw new Error(`There is no step ${column}.`);
  return step;
}

const amountsOf = (line: ExplainedLine | undefined, column: string): string[] =>
  stepIn(line, column).parts.map(({ amount }) => amount);

const rolesOf = (line: ExplainedLine | undefined): unknown[] =>
  line?.sources.map(({ role, type, line }) => [role, type, line]) ?? [];

function sumOf(step: Step): bigint {
  return step.parts.reduce((sum, { amount }) => sum + (parseMoney(amount) ?? 0n), 0n);
}

describe('the basis of a changed lot', () => {
  test('lists each row that contributed, and adds up', async () => {
    const [line] = await readExplained(
      ['2022-01-05,buy,Schwab,AAPL,20,2500,5'],
      ['2022-06-05,sell,Schwab,OTHER,1,5,0'],
      ['2023-06-01,split,,AAPL,,,', { ratio: '2:1' }],
      ['2023-07-01,return_of_capital,Schwab,AAPL,,40,'],
      ['2023-08-01,spinoff,Schwab,AAPL,,,', { received_asset: 'NEWCO', received_quantity: '4', ratio: '0.1' }],
      ['2023-09-01,transfer,Schwab,AAPL,30,,', { to_account: 'Fidelity' }],
      ['2024-02-01,sell,Fidelity,AAPL,10,1850,1.50'],
    ).then((all) => all.filter(({ disposal }) => disposal.asset === 'AAPL'));
    expect(line?.disposal.basis).toBe('554.63');
    expect(rolesOf(line)).toEqual([
      ['disposal', 'sell', 8],
      ['lot', 'buy', 2],
      ['change', 'split', 4],
      ['change', 'return_of_capital', 5],
      ['change', 'spinoff', 6],
      ['change', 'transfer', 7],
    ]);
    expect(amountsOf(line, '(d)')).toEqual(['1850.00', '-1.50']);
    expect(amountsOf(line, '(e)')).toEqual(['2500.00', '5.00', '0.00', '-40.00', '-246.50', '-554.62', '-1109.25']);
  });

  test('is reduced by the amortized premium of a bond', async () => {
    const [line] = await readExplained(
      ['2024-02-01,buy,Schwab,BOND,100,110000,', { asset_class: 'bond' }],
      ['2025-02-01,bond_amortization,Schwab,BOND,,1118.17,', { asset_class: 'bond' }],
      ['2025-06-02,sell,Schwab,BOND,100,109000,', { asset_class: 'bond' }],
    );
    expect(line?.disposal.basis).toBe('108881.83');
    expect(stepIn(line, '(e)').parts).toEqual([
      { text: '100 BOND bought on 2024-02-01', amount: '110000.00' },
      { text: 'Bond premium amortized on 2025-02-01', amount: '-1118.17' },
    ]);
  });

  test('includes the ordinary income of shares from an employee plan, which the form lacks', async () => {
    const client = await app.register('PRO');
    await elect(client, { accounts: { A: { type: 'taxable', form: '1099-B' } } });
    await importCsv(
      client,
      'date,type,account,asset,quantity,amount,fmv,offered\n2025-01-15,espp_purchase,A,ACME,50,6800,8000,2024-07-16\n2025-06-20,sell,A,ACME,25,4300,,\n',
    );
    const [line] = await explained(client);
    expect(line?.disposal).toMatchObject({ basis: '3400.00', code: 'B', adjustment: '-600.00', gain: '300.00' });
    expect(stepIn(line, '(e)').parts).toEqual([
      { text: '50 ACME bought on 2025-01-15', amount: '6800.00' },
      { text: 'Less the share of the other units of the lot', amount: '-3400.00' },
      { text: 'Ordinary income from these shares', amount: '600.00' },
      { text: 'Not included in the basis on the form', amount: '-600.00' },
    ]);
    expect(stepIn(line, '(f), (g)').text).toContain('taxed as wages');
    expect(stepIn(line, '(f), (g)').citations).toContain('IRC 83(a), 421(b), 423(c); 26 CFR 1.6045-1(d)(6)(ii)(A)');
  });

  test('includes the denied loss of a replacement, and column (b) matches the forms', async () => {
    const rows: FileRow[] = [
      ['2024-03-01,buy,Schwab,KO,100,6000,0'],
      ['2024-11-20,sell,Schwab,KO,100,5600,0'],
      ['2024-12-02,buy,Schwab,KO,40,2360,0'],
      ['2025-06-02,sell,Schwab,KO,40,2500,1'],
    ];
    const [loss, line] = await readExplained(...rows);
    expect(stepIn(loss, '(f), (g)').parts).toEqual([
      { text: '40 units replaced by an acquisition on 2024-12-02', amount: '160.00' },
    ]);
    expect(rolesOf(line)).toEqual([
      ['disposal', 'sell', 5],
      ['lot', 'buy', 4],
      ['denied', 'sell', 3],
    ]);
    expect(stepIn(line, '(a)').value).toBe('40 sh. KO');
    expect(stepIn(line, '(b)').value).toBe('2024-03-13');
    expect(stepIn(line, '(e)').parts).toEqual([
      { text: '40 KO bought on 2024-12-02', amount: '2360.00' },
      { text: 'Disallowed loss of 40 units that these units replaced', amount: '160.00' },
    ]);

    const client = await app.register('PRO');
    await importCsv(client, fileOf(...rows));
    await elect(client, { columnB: 'trade' });
    expect(stepIn((await explained(client))[1], '(b)').value).toBe('2024-12-02');
  });

  test('notes that the form lacks the loss added in another account', async () => {
    const client = await app.register('PRO');
    const broker = { type: 'taxable', form: '1099-B' };
    await elect(client, { accounts: { A: broker, B: broker } });
    const rows: readonly FileRow[] = [
      ['2024-01-02,buy,A,X,100,1000,'],
      ['2024-06-03,sell,A,X,100,600,'],
      ['2024-06-10,buy,B,X,100,650,'],
      ['2024-09-10,sell,B,X,100,1200,'],
    ];
    await importCsv(client, fileOf(...rows));
    const line = (await explained(client)).find(({ disposal }) => disposal.account === 'B');
    expect(line?.disposal).toMatchObject({
      box: 'A',
      basis: '650.00',
      code: 'B',
      adjustment: '-400.00',
      gain: '150.00',
    });
    expect(amountsOf(line, '(e)')).toEqual(['650.00', '400.00', '-400.00']);
    expect(stepIn(line, '(e)').parts.at(-1)?.text).toBe('Not included in the basis on the form');
  });

  test('is explained for shares of a successor company and for stock from options', async () => {
    const option = { underlying: 'AMD', shares: '100', right: 'call' };
    const lines = await readExplained(
      ['2024-01-07,buy,A,OLD,10,1000,0'],
      ['2024-02-07,merger,A,OLD,,200,', { received_asset: 'NEW', ratio: '0.5', fmv: '900' }],
      ['2024-03-07,sell,A,NEW,5,1200,0'],
      ['2024-01-05,buy_to_open,A,AMD 2024-03-15 C 150,1,500,1', option],
      ['2024-02-05,exercise,A,AMD 2024-03-15 C 150,1,15000,1', option],
      ['2024-02-10,sell,A,AMD,100,17000,2'],
    );
    const [cash, stock, successor] = lines;
    expect(stepIn(cash, '(e)')).toMatchObject({ citations: ['IRC 356(a)(1), 358(a)'] });
    expect(amountsOf(cash, '(e)')).toEqual(['200.00', '-100.00']);
    expect(rolesOf(stock)).toContainEqual(['option', 'buy_to_open', 5]);
    expect(amountsOf(stock, '(e)')).toEqual(['15000.00', '1.00', '501.00']);
    expect(rolesOf(successor)).toContainEqual(['change', 'merger', 3]);
    expect(amountsOf(successor, '(e)')).toEqual(['1000.00', '-100.00']);
  });

  test('is marked if it was entered or corrected manually', async () => {
    const client = await app.register('PRO');
    await importCsv(client, fileOf(['2024-05-01,deposit,A,DEP,1,,'], ['2024-05-10,sell,A,DEP,1,1000,1']));
    const issues = await fetchAll<Cells>(client, '/v1/tax/issues');
    const missing = issues.find(({ kind }) => kind === 'basis_missing');
    const body = { action: 'basis', basis: '100', acquired: '2023-01-01', note: 'wallet' };
    await client.json('POST', `/v1/tax/issues/${missing?.id}/resolve`, { body });
    const [line] = await explained(client);
    expect(line?.sources).toMatchObject([
      { role: 'disposal', corrected: false, answers: [] },
      { role: 'lot', corrected: false, answers: [{ action: 'basis', basis: '100', note: 'wallet' }] },
    ]);
    expect(amountsOf(line, '(e)')).toEqual(['100.00']);
    const [sale] = await fetchAll<Cells>(client, '/v1/transactions?type=sell');
    await client.json('PATCH', `/v1/transactions/${sale?.id}`, { body: { amount: '900' } });
    const [corrected] = await explained(client);
    expect(corrected?.sources[0]).toMatchObject({ role: 'disposal', corrected: true });
    expect(amountsOf(corrected, '(d)')).toEqual(['900.00', '-1.00']);
  });
});

describe('the text of a line', () => {
  test('cites the law on short sales, written options and gifts', async () => {
    const put = { underlying: 'WRI', shares: '100', right: 'put' };
    const lines = await readExplained(
      ['2023-01-02,buy,A,SHO,10,900,1', { id: 'own' }],
      ['2024-01-05,short_sell,A,SHO,10,1000,1'],
      ['2024-02-05,cover,A,SHO,10,0,0', { lots: 'own:10' }],
      ['2024-01-08,gift_in,A,GIF,10,,', { fmv: '300', acquired: '2020-01-01', basis: '500' }],
      ['2024-03-08,sell,A,GIF,10,400,0'],
      ['2024-01-06,sell_to_open,A,WRI 2024-03-15 P 50,1,200,1', put],
      ['2024-03-15,expire,A,WRI 2024-03-15 P 50,1,,', put],
    );
    const [short, gift, written] = lines;
    expect(rolesOf(short)).toContainEqual(['short', 'short_sell', 3]);
    expect(stepIn(short, '(b)').citations).toContain('IRC 1233(a); 26 CFR 1.1233-1(a)');
    expect([amountsOf(short, '(d)'), amountsOf(short, '(e)')]).toEqual([['999.00'], ['900.00', '1.00']]);
    expect(stepIn(gift, '(e)').text).toContain('neither gain nor loss');
    expect(stepIn(written, '(c)').citations).toEqual(['IRC 1234(b)(1)']);
    expect(amountsOf(written, '(d)')).toEqual(['200.00', '-1.00']);
  });

  test('states who chose the lot, and cites crypto and securities separately', async () => {
    const client = await app.register('PRO');
    const coin = { asset_class: 'crypto' };
    await importCsv(
      client,
      fileOf(
        ['2023-01-05,buy,Schwab,AAPL,10,1000,0'],
        ['2023-02-05,buy,Schwab,AAPL,10,2000,0'],
        ['2024-06-05,sell,Schwab,AAPL,1,150,0'],
        ['2023-02-05T10:00:00Z,buy,Kraken,BTC,1,20000,0', coin],
        ['2025-03-05T10:00:00Z,sell,Kraken,BTC,0.1,8000,0', coin],
      ),
    );
    const words = async (): Promise<unknown[]> =>
      (await explained(client)).map((line) => [stepIn(line, '(b)').text, stepIn(line, '(b)').citations]);
    expect(await words()).toEqual([
      ['Lot picked by FIFO, your method.', ['26 CFR 1.1012-1(c)']],
      ['Lot picked by FIFO, your method.', ['26 CFR 1.1012-1(j)']],
    ]);
    await elect(client, {
      methodByAccount: { Kraken: 'LIFO' },
      standingOrders: [
        { asset: 'AAPL', method: 'HIFO', madeAt: '2024-05-01' },
        { account: 'Schwab', method: 'LIFO', madeAt: '2024-07-01', from: '2024-03-01' },
      ],
    });
    expect(await words()).toEqual([
      [
        'A standing order for LIFO was made after the sale. Lot picked by the standing order for HIFO, made 2024-05-01.',
        ['26 CFR 1.1012-1(c)'],
      ],
      ['Lot picked by LIFO, the method of Kraken.', ['26 CFR 1.1012-1(j)']],
    ]);
  });

  test('states that the proceeds of a sale are unknown', async () => {
    const coin = { asset_class: 'crypto' };
    const [line] = await readExplained(['2024-01-10,buy,A,ETH,1,1000,1', coin], ['2024-02-10,spend,A,ETH,1,,', coin]);
    expect(stepIn(line, '(d)')).toMatchObject({
      value: '0.00',
      text: expect.stringContaining('not known in dollars'),
      parts: [],
    });
  });

  test('shows the other lines of the sale', async () => {
    const [line] = await readExplained(
      ['2024-01-10,buy,A,MUL,10,1000,1'],
      ['2024-01-11,buy,A,MUL,10,1100,1'],
      ['2024-03-11,sell,A,MUL,15,1800,3'],
    );
    expect(amountsOf(line, '(d)')).toEqual(['1800.00', '-3.00', '-599.00']);
  });
});

/** Every line of every history must be explained, and its parts must add up to the cent. */
test('parts add up to their columns for random histories', async () => {
  const property = fc.asyncProperty(histories(30), async ({ history, rules }) => {
    const client = await app.register('PRO');
    await electRules(client, rules);
    if (history.length > 0) await importCsv(client, [...writeLotbook(history)].join(''));
    for (const { disposal, steps, sources } of await explained(client)) {
      expect(sources[0]?.role).toBe('disposal');
      const values = { '(d)': 'proceeds', '(e)': 'basis', '(f), (g)': 'adjustment', '(h)': 'gain' };
      for (const [column, member] of Object.entries(values)) {
        const step = steps.find((one) => one.column === column);
        if (step === undefined || step.parts.length === 0) continue;
        expect([column, sumOf(step)]).toEqual([column, parseMoney(disposal[member] ?? '') as bigint]);
      }
    }
  });
  await fc.assert(property, { seed, numRuns: draws(8, 25) });
});
