import { type Day, parseDay } from '../../base/day.ts';
import type { AssetClass, Rules, Transaction, TransactionType, WashScope } from '../model.ts';
import { typesWhere } from '../transaction-types.ts';
import { indexOfRoot } from './index-options.ts';

/** The members that decide the class of an asset: of a draft, or of a transaction before its class is resolved. */
export interface UnclassifiedAsset {
  readonly type: TransactionType;
  readonly asset: string;
  readonly assetClass: AssetClass | null;
  readonly underlying: string;
}

/**
 * The class of a row's asset, from the first that states it: the row, the option symbol or the type, the account's
 * setting, the source, the list of known digital assets. Otherwise it is a stock. An option on a broad-based index is a
 * section 1256 contract by its root, whatever states that it is an option.
 */
export function resolveAssetClass(
  draft: UnclassifiedAsset,
  accountClass: AssetClass | undefined | null,
  sourceClass: AssetClass | null,
): AssetClass {
  const stated = classStated(draft);
  if (stated === 'option') return isIndexOption(draft) ? 'section_1256' : 'option';
  return stated ?? accountClass ?? sourceClass ?? (isKnownDigitalAsset(draft.asset) ? 'crypto' : 'stock');
}

function classStated({ assetClass, type, asset }: UnclassifiedAsset): AssetClass | null {
  if (assetClass !== null) return assetClass;
  if (optionTypes.has(type) || optionSymbol.test(asset)) return futureSymbol.test(asset) ? 'future' : 'option';
  return futureSymbol.test(asset) ? 'future' : null;
}

const optionTypes = typesWhere((row) => row.isOption);
const optionSymbol = /^(.+) \d{4}-\d{2}-\d{2} [CP] \d+(?:\.\d+)?$/;
/** `/ESZ4`, and `./ESZ4 …` for an option on it: brokers mark futures by a slash. Both are section 1256 contracts. */
const futureSymbol = /^\.?\/[A-Z0-9]/;

/** Whether an option is one on a broad-based index, by the root of its symbol or by its underlying. */
function isIndexOption({ asset, underlying }: UnclassifiedAsset): boolean {
  const root = optionSymbol.exec(asset)?.[1] ?? underlying;
  return indexOfRoot(root) !== undefined;
}

/**
 * The classes of up to three assets of a row that states only one class. A trade of a known coin for another class
 * states the class of the other: USDC for a tokenized share is a trade of `tokenized_security`.
 */
export function classesOf(transaction: Transaction): { asset: AssetClass; received: AssetClass; fee: AssetClass } {
  const stated = transaction.assetClass;
  if (!isDigital(stated)) {
    const fee = isKnownDigitalAsset(transaction.feeAsset) && transaction.feeAsset !== transaction.asset;
    return { asset: stated, received: stated, fee: fee ? 'crypto' : stated };
  }
  if (stated === 'crypto') return { asset: stated, received: stated, fee: stated };
  const given = isKnownDigitalAsset(transaction.asset) && transaction.receivedAsset !== '' ? 'crypto' : stated;
  const received = isKnownDigitalAsset(transaction.receivedAsset) ? 'crypto' : stated;
  const fee =
    transaction.feeAsset === transaction.asset
      ? given
      : transaction.feeAsset === transaction.receivedAsset
        ? received
        : 'crypto';
  return { asset: given, received, fee };
}

/** A digital asset of IRC 6045(g)(3)(D). Form 1099-DA and boxes G–L apply to it. */
export function isDigital(assetClass: AssetClass): boolean {
  return assetClass === 'crypto' || assetClass === 'nft' || assetClass === 'tokenized_security';
}

/** A digital asset that is not a security. IRC 165(g) and 1233 do not apply to it. */
export function isCoin(assetClass: AssetClass): boolean {
  return assetClass === 'crypto' || assetClass === 'nft';
}

/** It is marked to market and split 60/40 on Form 6781, never on Form 8949 (IRC 1256). */
export function isContract1256(assetClass: AssetClass): boolean {
  return assetClass === 'section_1256' || assetClass === 'future';
}

/**
 * Whether a loss on an asset of the class, sold on a day, can be a wash sale. Stock and securities can (IRC 1091(a)),
 * tokenized ones included (Schedule D instructions 2025). Other digital assets can only as a what-if. Section 1256
 * contracts never can (IRC 1256(f)(5)).
 */
export function isWashable(assetClass: AssetClass, rules: Rules, on: Day): boolean {
  switch (assetClass) {
    case 'stock':
    case 'fund':
    case 'bond':
    case 'option':
      return true;
    case 'tokenized_security':
      return washScopeOn(rules, on) !== 'securities_only';
    case 'crypto':
    case 'nft':
      return washScopeOn(rules, on) === 'all_assets';
    case 'future':
    case 'section_1256':
      return false;
    default:
      return assetClass satisfies never;
  }
}

/** The scope of wash sales for sales on a day (DECISIONS.md, P1). */
export function washScopeOn(rules: Rules, on: Day): WashScope {
  let scope = rules.washSales;
  for (const change of rules.washSalesFrom ?? []) if ((parseDay(change.date) ?? on + 1) <= on) scope = change.washSales;
  return scope;
}

/** Symbols of coins that no stock of a US exchange has. They count as coins where nothing else states the class. */
export function isKnownDigitalAsset(asset: string): boolean {
  return knownDigitalAssets.has(asset.toUpperCase());
}

const knownDigitalAssets: ReadonlySet<string> = new Set(
  (
    'BTC XBT ETH ETH2 WETH STETH WSTETH RETH CBETH WBTC USDT USDC DAI BUSD TUSD USDP PYUSD FDUSD GUSD FRAX LUSD USDE ' +
    'BNB SOL XRP ADA DOGE TRX DOT KSM MATIC POL AVAX SHIB LTC BCH BSV XLM XMR ZEC ETC ATOM OSMO UNI LINK AAVE MKR COMP ' +
    'CRV SUSHI YFI BAL LDO FIL ICP HBAR VET ALGO NEAR APT SUI INJ TIA RNDR RENDER GRT SAND MANA AXS ENJ ' +
    'CHZ EGLD XTZ EOS NEO QTUM ZRX BAT OMG KNC LRC REN BNT CVC STORJ ANKR SKL NMR OXT CELO RUNE KAVA ROSE MINA ' +
    'CAKE GALA IMX APE BLUR PEPE FLOKI BONK WIF JUP PYTH JTO ENA ONDO STRK ZK LUNA LUNC UST USTC FTT CRO KCS OKB ' +
    'XDAI GNO DYDX GMX PENDLE RPL SSV FXS CVX MASK API3 BAND AUDIO DESO XNO NANO IOTA MIOTA DCR ZEN WAVES ' +
    'ICX ONT ZIL DGB RVN KAS TON HYPE TRUMP VIRTUAL WLD'
  ).split(' '),
);
