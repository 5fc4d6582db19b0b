import type { AssetClass, Rules } from '../model.ts';

/**
 * Trusts that hold physical metal. An interest in one is an interest in the metal, so a gain on units held for more
 * than a year is a collectibles gain (IRC 408(m), 1(h)(4), (5)(B); see the trust's prospectus, "United States Federal
 * Tax Consequences"). No list is complete, so the taxpayer can add others.
 */
const trusts: readonly { readonly metal: string; readonly symbols: string }[] = [
  { metal: 'gold', symbols: 'GLD GLDM IAU IAUM SGOL AAAU BAR OUNZ' },
  { metal: 'silver', symbols: 'SLV SIVR' },
  { metal: 'platinum and palladium', symbols: 'PPLT PLTM PALL' },
  { metal: 'several metals', symbols: 'GLTR' },
];

/**
 * Foreign metal trusts, which are passive foreign investment companies. A holder who elected a qualified electing fund
 * has collectibles gain. Other holders have ordinary income (IRC 1291, 1293, 1295). The file does not show which
 * applies, so an issue is raised.
 */
const foreignTrusts: ReadonlySet<string> = new Set('PHYS PSLV SPPP CEF'.split(' '));

const metalTrusts: ReadonlySet<string> = new Set(trusts.flatMap(({ symbols }) => symbols.split(' ')));

/**
 * Returns whether a long-term gain or loss on an asset is a collectibles gain or loss, or null if the taxpayer must
 * decide.
 */
export function isCollectible(
  asset: string,
  assetClass: AssetClass,
  { assets }: Pick<Rules, 'assets'>,
): boolean | null {
  const stated = assets?.[asset]?.collectible;
  if (stated !== undefined) return stated;
  // An NFT is a collectible if its associated right or asset is one (Notice 2023-27). No file states that.
  if (assetClass === 'nft') return null;
  if (assetClass !== 'stock' && assetClass !== 'fund') return false;
  if (foreignTrusts.has(asset)) return null;
  return metalTrusts.has(asset);
}
