/**
 * Statements that query every worker on purpose. Each is about more than one taxpayer, and its entry gives the reason.
 * Entries match by words of the statement. All of these statements join tables of taxpayers only by their taxpayer.
 */
export const acrossWorkers: readonly { readonly words: string; readonly why: string }[] = [
  // The list of clients spans many taxpayers.
  {
    words: 'from taxpayers t left join clients c on c.taxpayer_id = t.id',
    why: 'The clients of a list, by their ids.',
  },
  { words: 'from year_summaries where taxpayer_id = any', why: 'The years of the clients of a list.' },
  { words: 'as name from taxpayers where id = any', why: 'The names of the books in a list of invitations.' },
  {
    words: 'from taxpayers where created_by',
    why: 'All books that an account made: to erase them, and to count them before a reset deletes them.',
  },
  // Scheduled work of the server for all taxpayers.
  { words: 'from imports where status', why: 'Imports whose server is gone.' },
  { words: 'from ledgers where engine is distinct from', why: 'Books of another engine, after a start.' },
  { words: 'name from taxpayers where id = any', why: 'The books of which news is mailed today.' },
  { words: 'select distinct t.taxpayer_id from transactions t where', why: 'Books that wait for a rate.' },
  { words: 'from taxpayers where revision <>', why: 'Books for whose rows prices are asked for.' },
  { words: 'from idempotency_keys where created_at <', why: 'Answers that nobody repeats any more.' },
];
