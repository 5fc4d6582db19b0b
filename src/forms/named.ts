import type { ReportBooks } from './report.ts';

/** Returns the ids of the transactions that a report mentions. */
export function transactionsNamedBy(books: Omit<ReportBooks, 'sources'>): string[] {
  const ids = new Set<string>();
  // A lot's id begins with the id of the transaction that opened it.
  const opener = (lotId: string): string => lotId.split('/')[0] ?? '';
  for (const { disposal } of books.lines) ids.add(disposal.saleId).add(opener(disposal.lotId));
  for (const wash of books.washSales) ids.add(wash.replacementTransactionId);
  for (const income of books.incomes) ids.add(income.transactionId);
  for (const contract of books.contracts) ids.add(contract.transactionId);
  for (const issue of books.issues) for (const id of issue.transactions) ids.add(id);
  for (const lot of books.openLots) ids.add(opener(lot.id));
  for (const gift of books.gifts) ids.add(gift.transactionId).add(opener(gift.lotId));
  for (const row of books.reported) ids.add(row.id);
  return [...ids];
}
