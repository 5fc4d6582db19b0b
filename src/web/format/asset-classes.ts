import type { AssetClass } from '../../engine/model.ts';

/** Display names of the asset classes. */
export const classNames: Readonly<Record<AssetClass, string>> = {
  stock: 'Stock',
  fund: 'Fund',
  option: 'Option',
  bond: 'Bond',
  treasury_bill: 'Treasury bill',
  crypto: 'Crypto',
  tokenized_security: 'Tokenized security',
  nft: 'NFT',
  future: 'Future',
  section_1256: 'Section 1256 contract',
  currency: 'Foreign currency',
};
