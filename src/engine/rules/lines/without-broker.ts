import { isDigital, isKnownDigitalAsset } from '../../events/classes.ts';
import type { AssetClass, Transaction } from '../../model.ts';

/**
 * Returns why no broker reports a disposition of a digital asset until further notice, regardless of the form that the
 * account receives (Notice 2024-57, section 3). Returns undefined if the row does not show one of the listed kinds.
 * Staking and lending are exchanges for the token that the pool issues. Rows do not identify a notional principal
 * contract.
 */
export function reasonWithoutBroker(tx: Transaction, assetClass: AssetClass): string | undefined {
  if (!isDigital(assetClass)) return undefined;
  if (tx.type === 'short_sell' || tx.type === 'cover') return sentence('short sales of digital assets');
  if (tx.type !== 'trade') return undefined;
  const [given, received] = [tx.asset.toUpperCase(), tx.receivedAsset.toUpperCase()];
  if (poolTokens.test(given) || poolTokens.test(received))
    return sentence('deposits to or withdrawals from a liquidity pool');
  return kindOfPair(given, received) ?? kindOfPair(received, given);
}

function kindOfPair(coin: string, token: string): string | undefined {
  const kind = tokens[token];
  if (kind !== undefined && kind.of === coin) return sentence(kind.words);
  const isLent = token.length > 3 && /^[AC]/.test(token) && token.slice(1) === coin && isKnownDigitalAsset(coin);
  return isLent ? sentence(lending) : undefined;
}

const wrapping = 'wrapping and unwrapping';
const staking = 'staking';
const lending = 'lending of digital assets';

interface TokenOf {
  readonly of: string;
  readonly words: string;
}

/** Tokens that represent a coin. Exchanging a token for any other coin is an ordinary exchange. */
const tokens: Readonly<Record<string, TokenOf>> = {
  WETH: { of: 'ETH', words: wrapping },
  WBTC: { of: 'BTC', words: wrapping },
  CBBTC: { of: 'BTC', words: wrapping },
  WBNB: { of: 'BNB', words: wrapping },
  WSOL: { of: 'SOL', words: wrapping },
  WAVAX: { of: 'AVAX', words: wrapping },
  WMATIC: { of: 'MATIC', words: wrapping },
  WPOL: { of: 'POL', words: wrapping },
  WSTETH: { of: 'STETH', words: wrapping },
  ETH2: { of: 'ETH', words: staking },
  STETH: { of: 'ETH', words: staking },
  RETH: { of: 'ETH', words: staking },
  CBETH: { of: 'ETH', words: staking },
  MSOL: { of: 'SOL', words: staking },
  JITOSOL: { of: 'SOL', words: staking },
};

/** Names of liquidity pool shares. */
const poolTokens = /(?:^|[-_ /])U?S?LP(?:$|[-_ /])|^UNI-V[234]$|^CAKE-LP$/;

function sentence(what: string): string {
  return `No broker reports ${what} until further notice (Notice 2024-57).`;
}
