/**
 * Whether the name of an account says that it may be tax-free: an IRA, a Roth, an HSA or a plan of an employer. Whole words
 * only: Mira and Piranha are none, and neither is Ira's.
 */
export function looksTaxFree(account: string): boolean {
  return names.test(account) || plans.test(account);
}

const names = /(?<![A-Za-z])(?:IRA|ira|Ira|ROTH|Roth|roth|HSA|Hsa|hsa)(?![A-Za-z'’])/;
const plans = /(?<!\d)(?:401|403|457)\s?\(?[abkABK]\)?(?![A-Za-z])/;
