/** The account of units that were withdrawn and have not arrived. It is not for sale. */
export const transitAccount = 'IN TRANSIT';

/** Returns the name of an account, with the engine's own accounts in words. */
export function accountName(account: string): string {
  if (account === transitAccount) return 'In transit';
  return account === 'UNIVERSAL' ? 'Universal pool' : account;
}
