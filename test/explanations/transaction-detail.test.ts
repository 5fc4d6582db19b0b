import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, fetchAll, importCsv } from '../support/books.ts';

interface Line {
  readonly id: string;
  readonly saleId: string;
  readonly gain: string;
}
interface Detail {
  readonly id: string;
  readonly type: string;
  readonly source: { readonly raw: string | null; readonly lines: number[] };
  readonly sources: { importId: string; fileName: string | null; format: string | null; line: number }[];
  readonly corrected: boolean;
  readonly pairing: { by: string; with: string | null } | null;
  readonly income: { type: string; amount: string }[];
  readonly openLots: { id: string; quantity: string; basis: string }[];
  readonly disposals: { count: number; data: Line[] };
  readonly laterDisposals: { count: number; data: Line[] };
}

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const fetchDetails = async (who: TestClient): Promise<Detail[]> => {
  const rows = await fetchAll<{ id: string }>(who, '/v1/transactions');
  return Promise.all(rows.map(({ id }) => who.json<Detail>('GET', `/v1/transactions/${id}`)));
};

describe('one transaction', () => {
  test('shows the lots that it opened, and the resulting lines', async () => {
    const who = await app.register('PRO');
    const csv = csvOf(
      'buy 2024-01-02 10 X @1000 #b1',
      'buy 2024-02-02 10 X @1200 #b2',
      'sell 2024-06-03 12 X @1100 #s1',
      'sell 2024-06-20 3 X @600 #s2',
      'dividend 2024-06-21 - X @8 #d1',
    );
    const { id } = await importCsv(who, csv);
    await importCsv(who, csv);
    const [first, second, sale, later, dividend] = await fetchDetails(who);
    expect(first).toMatchObject({ corrected: false, pairing: null, openLots: [], income: [] });
    expect(first?.laterDisposals).toMatchObject({ count: 1, data: [{ saleId: sale?.id }] });
    expect(second?.openLots.map(({ quantity, basis }) => [quantity, basis])).toEqual([['5', '600.00']]);
    expect(second?.laterDisposals.data.map(({ saleId }) => saleId)).toEqual([sale?.id ?? '', later?.id ?? '']);
    expect(second?.disposals).toEqual({ count: 0, data: [] });
    expect(sale?.disposals.count).toBe(2);
    expect(sale?.disposals.data).toEqual(
      (await fetchAll<Line>(who, '/v1/tax/disposals')).filter(({ saleId }) => saleId === sale?.id),
    );
    expect(sale?.laterDisposals.count).toBe(0);
    expect(dividend?.income).toEqual([{ type: 'dividend', amount: '8.00' }]);
    expect(first?.sources.map(({ importId, line }) => [importId === id, line])).toEqual([
      [true, 2],
      [false, 2],
    ]);
    expect(first?.source).toMatchObject({ lines: [2], raw: '2024-01-02,buy,Broker,X,10,1000,,b1' });
  });

  test('shows that it was corrected, and the original text from its file', async () => {
    const who = await app.register('PRO');
    await importCsv(who, csvOf('buy 2024-01-02 10 X @1000 #b1'));
    const [row] = await fetchDetails(who);
    await who.json('PATCH', `/v1/transactions/${row?.id}`, { body: { amount: '900' } });
    const [corrected] = await fetchDetails(who);
    expect(corrected).toMatchObject({ corrected: true, openLots: [{ basis: '900.00' }] });
    expect(corrected?.source.raw).toBe('2024-01-02,buy,Broker,X,10,1000,,b1');
  });

  test('shows how the legs of a transfer are paired manually, and a short sale with the line that covers it', async () => {
    const who = await app.register('PRO');
    await importCsv(
      who,
      csvOf(
        'buy 2024-01-02 10 X @1000 !A #b1',
        'withdrawal 2024-02-02 10 X !A #w1',
        'deposit 2024-02-20 10 X !B #d1',
        'short_sell 2024-03-01 5 Y @500 #ss1',
        'cover 2024-04-01 5 Y @400 #c1',
      ),
    );
    const [, left, arrived, short, cover] = await fetchDetails(who);
    expect([left?.pairing, arrived?.pairing]).toEqual([
      { with: null, by: 'engine' },
      { with: null, by: 'engine' },
    ]);
    await who.json('PUT', `/v1/tax/transfers/${left?.id}`, { body: { with: arrived?.id } });
    const [, after] = await fetchDetails(who);
    expect(after?.pairing).toEqual({ with: arrived?.id ?? '', by: 'hand' });
    const lines = await fetchAll<Line>(who, '/v1/tax/disposals');
    const named = [short, cover].flatMap((one) => [
      ...(one?.disposals.data ?? []),
      ...(one?.laterDisposals.data ?? []),
    ]);
    for (const line of lines) expect(named).toContainEqual(line);
  });
});
