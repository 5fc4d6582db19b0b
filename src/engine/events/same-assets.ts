import type { Rules, Statement } from '../model.ts';
import { isForeignCurrency } from './currencies.ts';

/**
 * The names of one security (`assets[X].sameAs = Y`). Brokers use an ISIN, a CUSIP or a ticker. Rows with X are renamed
 * to Y before any other code reads them, so that lots, wash sales (IRC 1091) and forms match. Options on X become
 * options on Y.
 */

/** The fields of a statement that name an asset. */
export const assetMembers = ['asset', 'receivedAsset', 'feeAsset', 'underlying'] as const;
export type AssetMember = (typeof assetMembers)[number];
type AssetNames = Pick<Statement, AssetMember>;

/** The names stated by a row that differ from those in its books. */
export type StatedNames = Partial<AssetNames>;

/** Returns the name used in the books, which is the same name unless the settings contain another. */
export function toBookName(name: string, assets: Rules['assets']): string {
  const names = mapOtherNames(assets);
  return names === null ? name : renameAsset(name, names);
}

/** Renames the assets of a row to the names in the books. Returns the same object if no name changes. */
export function renameToBookNames<Row extends AssetNames>(row: Row, assets: Rules['assets']): Row {
  const names = mapOtherNames(assets);
  if (names === null) return row;
  const changed = assetMembers.flatMap((member) => {
    const name = renameAsset(row[member], names);
    return name === row[member] ? [] : [[member, name] as const];
  });
  return changed.length === 0 ? row : { ...row, ...Object.fromEntries(changed) };
}

/** Returns the names in `stated` that differ from `booked`, or null if all names are equal. */
export function findDifferingNames(stated: AssetNames, booked: AssetNames): StatedNames | null {
  if (stated === booked) return null;
  const others = assetMembers.filter((member) => stated[member] !== booked[member]);
  return others.length === 0 ? null : Object.fromEntries(others.map((member) => [member, stated[member]]));
}

/** Returns every other name of a security, in a stable order. This is the reverse of `toBookName`. */
export function listOtherNames(name: string, assets: Rules['assets']): string[] {
  const names = mapOtherNames(assets);
  return names === null ? [] : [...names].flatMap(([other, booked]) => (booked === name ? [other] : [])).sort();
}

/**
 * Returns whether a row exchanges a security for itself after its names are replaced by those in the books. Such a row
 * shows that the two names are two securities. A rename is excluded, because it states for one day what the setting
 * states for all days.
 */
export function exchangesItself(stated: Pick<Statement, 'type'> & AssetNames, booked: AssetNames): boolean {
  if (stated === booked || stated.type === 'rename') return false;
  return stated.asset !== stated.receivedAsset && booked.asset === booked.receivedAsset;
}

/** Returns the reason for rejecting a row that exchanges a security for itself. */
export function sameSecurity({ asset, receivedAsset }: Pick<Statement, 'asset' | 'receivedAsset'>): string {
  return `your settings state that ${asset} and ${receivedAsset} are one security, and this row exchanges one for the other`;
}

function renameAsset(name: string, names: ReadonlyMap<string, string>): string {
  if (name === '') return name;
  const bookName = names.get(name);
  if (bookName !== undefined) return bookName;
  const option = optionOn.exec(name);
  if (option === null) return name;
  const [, root = '', terms = ''] = option;
  const whole = names.get(root);
  if (whole !== undefined) return `${whole}${terms}`;
  // A digit after the root marks a mini option or an adjusted contract.
  const digit = /\d$/.exec(root)?.[0] ?? '';
  const stock = digit === '' ? undefined : names.get(root.slice(0, -1));
  return stock === undefined ? name : `${stock}${digit}${terms}`;
}

/** Matches `AAPL 2025-01-17 C 150`: the root, and the terms with the preceding space. */
const optionOn = /^(.+)( \d{4}-\d{2}-\d{2} [CP] \d+(?:\.\d+)?)$/;

/** Returns whether the name is empty or that of a currency, so that it is not a security. */
export function isMoneyName(name: string): boolean {
  return name === '' || name === 'USD' || isForeignCurrency(name);
}

/** Maps other names to the name in the books. Returns null if there are none, as in nearly all settings. */
function mapOtherNames(assets: Rules['assets']): ReadonlyMap<string, string> | null {
  if (assets === undefined) return null;
  const known = namesOfSettings.get(assets);
  if (known !== undefined) return known;
  const pairs = Object.entries(assets).flatMap(([name, { sameAs }]) =>
    sameAs === undefined ? [] : [[name, sameAs] as const],
  );
  const names = pairs.length === 0 ? null : new Map(pairs);
  namesOfSettings.set(assets, names);
  return names;
}

const namesOfSettings = new WeakMap<object, ReadonlyMap<string, string> | null>();
