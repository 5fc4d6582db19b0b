import type { AssetClass, Transaction } from '../../../../src/engine/model.ts';
import { yearOfDay } from '../../numbers.ts';

/**
 * Disposals that no information return reports: securities that became worthless, distributions beyond the basis and,
 * for digital assets, the exceptions of Notice 2024-57: wrapping, liquidity pools, staking, lending and short sales.
 */
export function isOnNoForm(transaction: Transaction): boolean {
  const { type, assetClass, asset, receivedAsset, on } = transaction;
  if (type === 'worthless' || type === 'return_of_capital') return true;
  if (!digital.includes(assetClass) || yearOfDay(on) < 2025) return false;
  if (type === 'short_sell' || type === 'cover') return true;
  const pair = [asset, receivedAsset].sort().join(' ');
  return type === 'trade' && (excepted.has(pair) || /\bLP\b|UNI-V[234]/.test(pair));
}

const digital: readonly AssetClass[] = ['crypto', 'nft', 'tokenized_security'];
const excepted: ReadonlySet<string> = new Set([
  'ETH WETH',
  'BTC WBTC',
  'ETH STETH',
  'ETH ETH2',
  'ETH RETH',
  'CBETH ETH',
  'STETH WSTETH',
  'AUSDC USDC',
  'CUSDC USDC',
]);
