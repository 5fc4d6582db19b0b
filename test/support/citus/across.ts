/**
 * Statements that query every worker on purpose, because they cover more than one taxpayer. Each entry gives the reason
 * and is matched by words in the statement. All of these statements join tables with taxpayer data only by taxpayer.
 */
export const acrossWorkers: readonly { readonly words: string; readonly why: string }[] = [
  // The list of clients spans many taxpayers.
  {
    words: 'from taxpayers t left join clients c on c.taxpayer_id = t.id',
    why: 'The clients in a list, by their ids.',
  },
  { words: 'from year_summaries where taxpayer_id = any', why: 'The years for the clients in a list.' },
  { words: 'as name from taxpayers where id = any', why: 'The names of the books in a list of invitations.' },
  {
    words: 'from taxpayers where created_by',
    why: 'All books that an account made: to erase them, and to count them before a reset deletes them.',
  },
  // Scheduled work of the server for all taxpayers.
  { words: 'from imports where status', why: 'Imports whose server has stopped.' },
  { words: 'from ledgers l join taxpayers t', why: 'Books from another engine version, after a start.' },
  { words: 'from ledgers where engine is distinct from', why: 'The number of such books.' },
  { words: 'name from taxpayers where id = any', why: 'The books whose news is emailed today.' },
  { words: 'select distinct t.taxpayer_id from transactions t where', why: 'Books that need a missing rate.' },
  { words: 'from taxpayers where revision <>', why: 'Books whose rows need prices.' },
  { words: 'from undone_imports where undone_at <', why: 'Undone imports that can no longer be restored.' },
  { words: 'from connections where due_at <=', why: 'Connections whose sync is due.' },
  { words: 'from idempotency_keys where created_at <', why: 'Responses that no request repeats anymore.' },
];
