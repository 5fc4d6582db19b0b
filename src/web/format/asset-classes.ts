import type { AssetClass } from '../../engine/model.ts';

/** What the classes of assets are called on the pages of the client. */
export const classNames: Readonly<Record<AssetClass, string>> = {
  stock: 'Stock',
  fund: 'Fund',
  option: 'Option',
  bond: 'Bond',
  treasury_bill: 'Treasury bill',
  crypto: 'Coin or token',
  tokenized_security: 'Tokenized security',
  nft: 'NFT',
  future: 'Future',
  section_1256: 'Section 1256 contract',
  currency: 'Foreign currency',
};
