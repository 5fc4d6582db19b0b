import type { Served } from './served.ts';
import { tradesCsv } from './trades.ts';

export const seededRows = 500;
const atOnce = 2;
/** Few enough that more than a quarter of the rows are sales. */
const stocks = 4;

/** Creates this many taxpayers with the same rows and returns their cookies. */
export async function seedTaxpayers(served: Served, taxpayers: number): Promise<string[]> {
  const csv = tradesCsv(seededRows, stocks);
  const cookies: string[] = [];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (cookies.length < taxpayers) {
        const at = cookies.push('') - 1;
        const cookie = await served.register('PRO');
        cookies[at] = cookie;
        await served.importCsv(cookie, csv);
      }
    }),
  );
  return cookies;
}
