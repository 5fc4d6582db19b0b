/**
 * The words of the house.
 *
 * *Bytes become rows, rows become drafts, drafts become transactions, transactions become events, events move books
 * and leave facts, facts become lines.*
 *
 *  - **Transaction**: a stored, immutable statement by the taxpayer. A **Draft** (formats) is one without id or owner.
 *  - **Event**: one thing that moves a book. A crypto-to-crypto trade is two.
 *  - **Lot**: open quantity with its basis, `acquired` (drives the order) and `heldSince` (drives the term).
 *  - **Book**: all open lots, shorts and open losses of things whose basis can flow into one another, for one
 *    taxpayer, across accounts: an asset with its options, successors and spin-offs.
 *  - **Fact**: the consequence of exactly one event: Disposal, WashSale, Income, Contract1256, Issue.
 *  - **Disposal**: one lot slice disposed of: one line of Form 8949.
 *  - **Issue**: what could not be known, with the transactions that led there.
 *  - **Rules**: the elections that change the answer.
 *  - **Checkpoint**: a Book after the last event of a day.
 */

export * from './elections.ts';
export * from './facts.ts';
export { type LotMethod, lotMethods, type OrderMethod, orderMethods } from './lot-methods.ts';
export * from './statement.ts';
export { type TransactionType, transactionTypes } from './transaction-types.ts';
