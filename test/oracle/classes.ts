import type { AssetClass, Rules, Transaction } from '../../src/engine/model.ts';
import { namedClass } from './names.ts';

/** What a thing is, from the law and the lists of the exchanges, for rows that state no class or the wrong one. */
export function withClasses(
  transactions: readonly Transaction[],
  rules: Pick<Rules, 'accounts' | 'assets'> = { accounts: {} },
  states: (row: Transaction) => boolean = () => true,
): Transaction[] {
  return transactions.map((row) => ({
    ...row,
    assetClass: classOf(row, namedClass(row, states, transactions, rules)),
  }));
}

/** Listed options on a broad-based index are nonequity options, whatever a file calls them (IRC 1256(b)(1)(C), (g)(3)). */
function classOf({ asset, type }: Transaction, assetClass: AssetClass): AssetClass {
  if (asset.startsWith('/')) return 'future';
  const [, root] = /^(\S+) \d{4}-\d{2}-\d{2} [CP] [\d.]+$/.exec(asset) ?? [];
  if (root === undefined && !/_to_/.test(type)) return assetClass;
  return indexes.has(root ?? '') ? 'section_1256' : 'option';
}

/** S&P 500, Nasdaq-100, Russell 2000 and volatility: Cboe and Nasdaq list them as broad-based, settled in cash. */
const indexes: ReadonlySet<string> = new Set(['SPX', 'SPXW', 'XSP', 'NDX', 'NDXP', 'RUT', 'RUTW', 'MRUT', 'VIX']);
