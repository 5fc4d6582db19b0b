import type { Rules } from '../../src/engine/model.ts';
import type { TestClient } from './app.ts';
import { storedSettings } from './stored-settings.ts';

/** Common steps of ledger tests: send a CSV, change elections, read the results. */

export interface ImportResource {
  readonly id: string;
  readonly status: string;
  readonly format: string;
  readonly rows: number;
  readonly imported: number;
  readonly duplicates: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly years: number[];
  readonly issues: number;
  readonly problem?: { readonly code: string };
}

export interface ListResponse<Item> {
  readonly data: Item[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}

export type Cells = Readonly<Record<string, string>>;

const csvHeaders = { 'content-type': 'text/csv' };

export async function importCsv(client: TestClient, csv: string, query = ''): Promise<ImportResource> {
  const path = `/v1/transactions/import${query}`;
  return client.json<ImportResource>('POST', path, { body: csv, headers: csvHeaders });
}

export async function elect(client: TestClient, settings: object): Promise<Record<string, unknown>> {
  return client.json('PATCH', '/v1/tax/settings', { body: settings });
}

/** Sets the rules for a history in the account and the settings. */
export async function electRules(client: TestClient, rules: Rules): Promise<void> {
  await client.json('PATCH', '/v1/account', { body: { timeZone: rules.timeZone ?? 'UTC' } });
  await elect(client, storedSettings(rules));
}

/**
 * Converts `buy 2024-01-02 10 X @1000 #b1`, the notation of the tests, to Lotbook CSV. `~` before the amount is a fee.
 */
export function csvOf(...rows: readonly string[]): string {
  const lines = rows.map((row) => {
    const words = row.split(' ');
    const [type = '', date = '', quantity = '', asset = ''] = words;
    const word = (mark: string): string => words.find((one) => one.startsWith(mark))?.slice(1) ?? '';
    return [
      date,
      type,
      word('!') || 'Broker',
      asset,
      quantity === '-' ? '' : quantity,
      word('@'),
      word('~'),
      word('#'),
    ].join(',');
  });
  return `date,type,account,asset,quantity,amount,fee,id\n${lines.join('\n')}\n`;
}

export async function fetchAll<Item>(client: TestClient, path: string, limit = 1000): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const separator = path.includes('?') ? '&' : '?';
    const page: ListResponse<Item> = await client.json('GET', `${path}${separator}limit=${limit}${more}`);
    items.push(...page.data);
    cursor = page.nextCursor;
  }
  return items;
}

/** Returns all results computed from the books, as the API returns them. */
export async function fetchBookContent(client: TestClient): Promise<string> {
  const years = await fetchAll<{ year: number }>(client, '/v1/tax/years');
  const summaries: unknown[] = [];
  for (const { year } of years) summaries.push(await client.json('GET', `/v1/tax/summary?year=${year}`));
  const disposals = await fetchAll(client, '/v1/tax/disposals');
  const lots = await fetchAll(client, '/v1/tax/lots');
  return JSON.stringify({ summaries, disposals, lots });
}
