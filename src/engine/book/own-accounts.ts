/**
 * The account of the universal pool, which contains digital assets from before 2025 that are not assigned to wallets,
 * if the taxpayer elected it.
 */
export const universalAccount = 'UNIVERSAL';
/** The account that lists of lots show for lots in transit: withdrawals whose deposit has not arrived. */
export const transitAccount = 'IN TRANSIT';
/** The prefix of the accounts for lots in transit. The id of the withdrawal follows. */
export const transitPrefix = `${transitAccount} `;
