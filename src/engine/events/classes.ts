import { type Day, parseDay } from '../../base/day.ts';
import type { AssetClass, ClassRules, Rules, Transaction, TransactionType, WashScope } from '../model.ts';
import { typesWhere } from '../transaction-types.ts';
import { isForeignCurrency } from './currencies.ts';
import { bareRoot, indexOfRoot } from './index-options.ts';
import { tickersOfCoins } from './tickers.ts';

/**
 * The fields that determine the class of an asset, from a draft or from a transaction whose class is not yet resolved.
 */
export interface UnclassifiedAsset {
  readonly type: TransactionType;
  readonly account: string;
  readonly asset: string;
  readonly assetClass: AssetClass | null;
  readonly underlying: string;
  readonly receivedAsset: string;
}

/** The possible sources of an asset class, strongest first. */
export const classReasons = [
  'taxpayer',
  'row',
  'symbol',
  'account',
  'source',
  'pair',
  'other_assets',
  'unknown',
  'name',
  'default',
] as const;
export type ClassReason = (typeof classReasons)[number];

/**
 * Resolves the class of a row's asset from the first source that states it: the taxpayer's setting for the asset, the
 * row, the option symbol or the type, the account's setting, the source, the other side of a trade, the other assets of
 * the account, the list of known digital assets. The default is stock. An option is a section 1256 contract if its root
 * is that of a broad-based index, no matter which source states that it is an option.
 */
export function resolveAssetClass(
  row: UnclassifiedAsset,
  rules: ClassRules,
  sourceClass: AssetClass | null,
): AssetClass {
  const word = rules.assets === undefined ? undefined : wordFor(row, rules.assets);
  if (word !== undefined) return word;
  const stated = classStated(row);
  if (stated === 'option') return isIndexOption(row, rules) ? 'section_1256' : 'option';
  return stated ?? rules.accounts[row.account]?.assetClass ?? sourceClass ?? classByName(row, rules);
}

/** Returns the reason for the result of `resolveAssetClass`. */
export function explainClass(row: UnclassifiedAsset, rules: ClassRules, sourceClass: AssetClass | null): ClassReason {
  if (rules.assets !== undefined && wordFor(row, rules.assets) !== undefined) return 'taxpayer';
  if (classStated(row) === 'option' && wordForRoot(row, rules) !== undefined) return 'taxpayer';
  if (row.assetClass === 'option' && isIndexOption(row, rules)) return 'symbol';
  if (row.assetClass !== null) return row.assetClass === classStated(row) ? 'row' : 'symbol';
  if (classStated(row) !== null) return 'symbol';
  if (rules.accounts[row.account]?.assetClass !== undefined) return 'account';
  if (sourceClass !== null) return 'source';
  if (isPairedWithCoin(row)) return 'pair';
  const reading = rules.tickers?.[row.account]?.[row.asset];
  if (reading !== undefined) return reading === 'unknown' ? 'unknown' : 'other_assets';
  if (isAlsoCoin(row.asset)) return 'unknown';
  return isKnownDigitalAsset(row.asset) ? 'name' : 'default';
}

/** Returns the class that the taxpayer set for an asset in one account, or for the asset in all accounts. */
function wordFor({ asset, account }: UnclassifiedAsset, assets: NonNullable<Rules['assets']>): AssetClass | undefined {
  const word = assets[asset];
  return word?.accounts?.[account] ?? word?.assetClass;
}

function classByName(row: UnclassifiedAsset, { tickers }: ClassRules): AssetClass {
  if (isPairedWithCoin(row)) return 'crypto';
  const reading = tickers === undefined ? undefined : tickers[row.account]?.[row.asset];
  if (reading === 'stock' || reading === 'crypto') return reading;
  return isKnownDigitalAsset(row.asset) ? 'crypto' : 'stock';
}

/**
 * Returns whether the asset is traded for something that can only be a coin. No broker exchanges a stock for a coin.
 */
function isPairedWithCoin({ type, asset, receivedAsset }: UnclassifiedAsset): boolean {
  return type === 'trade' && asset !== '' && asset !== 'USD' && isOnlyCoin(receivedAsset);
}

/** Returns true for a coin symbol that no security on a US exchange uses. */
function isOnlyCoin(asset: string): boolean {
  return isKnownDigitalAsset(asset) && !isAlsoCoin(asset);
}

function classStated({ assetClass, type, asset }: UnclassifiedAsset): AssetClass | null {
  // Some exchanges list currencies as assets in their ledgers, next to coins.
  if ((assetClass === null || assetClass === 'crypto') && isForeignCurrency(asset)) return 'currency';
  if (assetClass !== null) return assetClass === 'bond' && isTreasuryBill(asset) ? 'treasury_bill' : assetClass;
  if (isTreasuryBill(asset)) return 'treasury_bill';
  if (isDebtCusip(asset)) return 'bond';
  if (optionTypes.has(type) || optionSymbol.test(asset)) return futureSymbol.test(asset) ? 'future' : 'option';
  return futureSymbol.test(asset) ? 'future' : null;
}

/**
 * Matches the CUSIP in a name: the name itself, or the nine characters of a US ISIN between the country code and the
 * check digit.
 */
const cusip = /^(?:US)?(\d{3}[\dA-Z*@#]{5}\d)(?:\d)?$/;

function findCusip(asset: string): string | undefined {
  const number = cusip.exec(asset)?.[1];
  return number !== undefined && (asset.length === 9 || asset.length === 12) ? number : undefined;
}

/** Returns whether a name is the CUSIP or ISIN of a Treasury bill. */
export function isTreasuryBill(asset: string): boolean {
  return /^91279[67]/.test(findCusip(asset) ?? '');
}

/**
 * Returns whether a name is the CUSIP or ISIN of a debt instrument. Its two issue characters contain a letter; those of
 * a stock do not.
 */
export function isDebtCusip(asset: string): boolean {
  return /^.{6}(?:[A-Z].|.[A-Z])/.test(findCusip(asset) ?? '');
}

/** Returns whether a class is debt, so that its discount and accrued interest are interest. */
export function isDebt(assetClass: AssetClass): boolean {
  return assetClass === 'bond' || assetClass === 'treasury_bill';
}

const optionTypes = typesWhere((row) => row.isOption);
const optionSymbol = /^(.+) \d{4}-\d{2}-\d{2} [CP] \d+(?:\.\d+)?$/;
/**
 * Matches `/ESZ4`, and `./ESZ4 …` for an option on it. Brokers mark futures with a slash. Both are section 1256
 * contracts.
 */
const futureSymbol = /^\.?\/[A-Z0-9]/;

/** Returns whether an option is on a broad-based index, by the root of its symbol or by its underlying. */
function isIndexOption(row: UnclassifiedAsset, rules: ClassRules): boolean {
  return wordForRoot(row, rules) ?? indexOfRoot(rootOf(row)) !== undefined;
}

function wordForRoot(row: UnclassifiedAsset, { assets }: ClassRules): boolean | undefined {
  return assets === undefined ? undefined : assets[bareRoot(rootOf(row))]?.section1256;
}

function rootOf({ asset, underlying }: UnclassifiedAsset): string {
  return optionSymbol.exec(asset)?.[1] ?? underlying;
}

/**
 * Resolves the classes of up to three assets of a row that states only one class. If a known coin is traded for another
 * class, the stated class is that of the other asset: a trade of USDC for a tokenized share states
 * `tokenized_security`.
 */
export function classifyAssets(transaction: PairedAssets): AssetClasses {
  const classes = classesBesideMoney(transaction);
  const { asset, receivedAsset, feeAsset } = transaction;
  if (receivedAsset === '' && feeAsset === '') return classes;
  const isMoney = (name: string): boolean => isForeignCurrency(name);
  // If a crypto source exchanges an asset for currency, the asset is a coin.
  const coin = classes.asset === 'currency' ? 'crypto' : null;
  return {
    asset: classes.asset === 'crypto' && isMoney(asset) ? 'currency' : classes.asset,
    received: isMoney(receivedAsset) ? 'currency' : (coin ?? classes.received),
    fee: isMoney(feeAsset) ? 'currency' : (coin ?? classes.fee),
  };
}

type PairedAssets = Pick<Transaction, 'assetClass' | 'asset' | 'receivedAsset' | 'feeAsset'>;

interface AssetClasses {
  readonly asset: AssetClass;
  readonly received: AssetClass;
  readonly fee: AssetClass;
}

function classesBesideMoney(transaction: Pick<Transaction, 'assetClass' | 'asset' | 'receivedAsset' | 'feeAsset'>): {
  asset: AssetClass;
  received: AssetClass;
  fee: AssetClass;
} {
  const stated = transaction.assetClass;
  if (!isDigital(stated)) {
    const { feeAsset } = transaction;
    const isOfTrade = feeAsset === transaction.asset || feeAsset === transaction.receivedAsset;
    const fee = !isOfTrade && isKnownDigitalAsset(feeAsset);
    return { asset: stated, received: stated, fee: fee ? 'crypto' : stated };
  }
  if (stated === 'crypto') return { asset: stated, received: stated, fee: stated };
  const outgoingClass = isKnownDigitalAsset(transaction.asset) && transaction.receivedAsset !== '' ? 'crypto' : stated;
  const received = isKnownDigitalAsset(transaction.receivedAsset) ? 'crypto' : stated;
  const fee =
    transaction.feeAsset === transaction.asset
      ? outgoingClass
      : transaction.feeAsset === transaction.receivedAsset
        ? received
        : 'crypto';
  return { asset: outgoingClass, received, fee };
}

/** Returns true for digital assets as defined in IRC 6045(g)(3)(D). Form 1099-DA and boxes G–L apply to them. */
export function isDigital(assetClass: AssetClass): boolean {
  return assetClass === 'crypto' || assetClass === 'nft' || assetClass === 'tokenized_security';
}

/** Returns true for digital assets that are not securities. IRC 165(g) and 1233 do not apply to them. */
export function isCoin(assetClass: AssetClass): boolean {
  return assetClass === 'crypto' || assetClass === 'nft';
}

/** Returns true for contracts that are marked to market and split 60/40 on Form 6781, never on Form 8949 (IRC 1256). */
export function isContract1256(assetClass: AssetClass): boolean {
  return assetClass === 'section_1256' || assetClass === 'future';
}

/**
 * Returns whether a loss on an asset of the class, sold on a day, can be a wash sale. Stock and securities can (IRC
 * 1091(a)), including tokenized ones (Schedule D instructions 2025). Other digital assets can only if the elections
 * assume a change in law. Section 1256 contracts never can (IRC 1256(f)(5)).
 */
export function isWashable(assetClass: AssetClass, rules: Rules, on: Day): boolean {
  switch (assetClass) {
    case 'stock':
    case 'fund':
    case 'bond':
    case 'treasury_bill':
    case 'option':
      return true;
    case 'tokenized_security':
      return washScopeOn(rules, on) !== 'securities_only';
    case 'crypto':
    case 'nft':
      return washScopeOn(rules, on) === 'all_assets';
    case 'future':
    case 'section_1256':
    case 'currency':
      return false;
    default:
      return assetClass satisfies never;
  }
}

/** Returns the scope of wash sales for sales on a day (DECISIONS.md, P1). */
function washScopeOn(rules: Rules, on: Day): WashScope {
  let scope = rules.washSales;
  for (const change of rules.washSalesFrom ?? []) if ((parseDay(change.date) ?? on + 1) <= on) scope = change.washSales;
  return scope;
}

/** Returns whether a name is a known coin symbol. It counts as a coin if nothing else states the class. */
export function isKnownDigitalAsset(asset: string): boolean {
  return knownDigitalAssets.has(asset.toUpperCase());
}

/** Returns whether a symbol is shared by a coin and a security on a US exchange (`tickers.ts`). */
export function isAlsoCoin(asset: string): boolean {
  return tickersOfCoins.has(asset);
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
