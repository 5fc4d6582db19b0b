import { invalidMember, type Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import { exchangesItself, renameToBookNames } from '../../../engine/events/same-assets.ts';
import type { AssetClass } from '../../../engine/model.ts';
import type { StoredSettings } from '../transactions/elections.ts';
import { selectClasses, selectExchanges } from './same-securities.queries.ts';

type Assets = NonNullable<StoredSettings['assets']>;

/**
 * Refuses a `sameAs` if the rows show two different securities: their classes are never compatible, or a row exchanges
 * one for the other.
 */
export async function refuseOtherSecurities(
  sql: Sql,
  taxpayerId: string,
  { assets: before = {} }: StoredSettings,
  { assets: after = {} }: StoredSettings,
): Promise<void> {
  const pairs = Object.entries(after).flatMap(([name, { sameAs }]) =>
    sameAs === undefined || before[name]?.sameAs === sameAs ? [] : [{ name, sameAs }],
  );
  if (pairs.length === 0) return;
  await refuseOtherClasses(sql, taxpayerId, pairs);
  await refuseExchanges(sql, taxpayerId, after, new Set(pairs.flatMap(({ name, sameAs }) => [name, sameAs])));
}

interface SecurityPair {
  readonly name: string;
  readonly sameAs: string;
}

async function refuseOtherClasses(sql: Sql, taxpayerId: string, pairs: readonly SecurityPair[]): Promise<void> {
  const rows = await selectClasses(sql, taxpayerId, [...new Set(pairs.flatMap(({ name, sameAs }) => [name, sameAs]))]);
  const listClasses = (name: string): AssetClass[] =>
    rows.flatMap((row) => (row.name === name ? [row.asset_class] : []));
  for (const { name, sameAs } of pairs) {
    const [own, others] = [listClasses(name), listClasses(sameAs)];
    if (own.length === 0 || others.length === 0) continue;
    if (own.some((one) => others.some((other) => familyOf[one] === familyOf[other]))) continue;
    throw refused(
      name,
      `In your transactions, ${name} is ${wordsOf[own[0] as AssetClass]} and ${sameAs} is ${wordsOf[others[0] as AssetClass]}. Correct the class of one of them first.`,
    );
  }
}

async function refuseExchanges(
  sql: Sql,
  taxpayerId: string,
  assets: Assets,
  names: ReadonlySet<string>,
): Promise<void> {
  for (const { on_day, ...stated } of await selectExchanges(sql, taxpayerId, [...names])) {
    if (!exchangesItself(stated, renameToBookNames(stated, assets))) continue;
    const { type, asset, receivedAsset } = stated;
    const other = assets[asset]?.sameAs === undefined ? receivedAsset : asset;
    throw refused(
      other,
      `Your ${type} of ${on_day} exchanges ${asset} for ${receivedAsset}, so they are two securities. Correct that transaction if it is wrong.`,
    );
  }
}

function refused(name: string, detail: string): Refusal {
  return invalidMember(`/assets/${name.replaceAll('~', '~0').replaceAll('/', '~1')}/sameAs`, detail);
}

/** Groups the classes that rows of one security may have. Many files contain no class, or report a fund as a stock. */
const familyOf: Readonly<Record<AssetClass, string>> = {
  stock: 'share',
  fund: 'share',
  bond: 'debt',
  treasury_bill: 'debt',
  option: 'option',
  crypto: 'coin',
  nft: 'coin',
  tokenized_security: 'token',
  future: 'contract',
  section_1256: 'contract',
  currency: 'money',
};

const wordsOf: Readonly<Record<AssetClass, string>> = {
  stock: 'a stock',
  fund: 'a fund',
  bond: 'a bond',
  treasury_bill: 'a Treasury bill',
  option: 'an option',
  crypto: 'a coin',
  nft: 'an NFT',
  tokenized_security: 'a tokenized security',
  future: 'a future',
  section_1256: 'a section 1256 contract',
  currency: 'a currency',
};
