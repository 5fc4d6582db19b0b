import { transitAccount, universalAccount } from '../../engine/book/own-accounts.ts';

/** Returns the name of an account, with the engine's own accounts in words. */
export function accountName(account: string): string {
  if (account === transitAccount) return 'In transit';
  return account === universalAccount ? 'Universal pool' : account;
}
