/**
 * Statements that ask every worker on purpose: each is about no single taxpayer, and says why no taxpayer is known. Words
 * of the statement find it. All of them join tables of taxpayers by their taxpayer only.
 */
export const acrossWorkers: readonly { readonly words: string; readonly why: string }[] = [
  // Who asks is known as a user. Which books are theirs is what the statement asks.
  {
    words: 'from sessions held join users u',
    why: 'A session names its user. One small row of memberships on one worker answers.',
  },
  { words: 'from access_tokens held join users u', why: 'A token names its user.' },
  {
    words: 'from users u join memberships m on m.user_id = u.id and m.role',
    why: 'The own books of a user, by id or address.',
  },
  { words: 'select taxpayer_id as id from memberships where user_id', why: 'The own books of a user.' },
  { words: 'as feed from memberships where user_id = any', why: 'The own books of those who are told of a change.' },
  {
    words: 'select taxpayer_id as "taxpayerId", role =',
    why: 'All books that an account reaches, when it is deleted.',
  },
  { words: 'count(*)::integer as count from memberships where user_id', why: 'How many clients a user has.' },
  { words: 'as list from memberships where user_id', why: 'The clients of a user, for the archive of an account.' },
  { words: 'left join clients c on c.taxpayer_id = t.id', why: 'The list of clients is of many taxpayers.' },
  { words: 'from year_summaries where taxpayer_id = any', why: 'The years of the clients of a list.' },
  { words: 'as name from taxpayers where id = any', why: 'The names of the books in a list of invitations.' },
  { words: 'select id from taxpayers where created_by', why: 'All books that an account made, when it is erased.' },
  // What the server does by the clock, for all taxpayers.
  { words: 'from imports where status', why: 'Imports whose server is gone.' },
  { words: 'from ledgers where engine is distinct from', why: 'Books of another engine, after a start.' },
  { words: 'from digests d join memberships m', why: 'Who has news mailed today.' },
  { words: 'select distinct t.taxpayer_id from transactions t where', why: 'Books that wait for a rate.' },
  { words: 'from taxpayers where revision <>', why: 'Books for whose rows prices are asked for.' },
  { words: 'from idempotency_keys where created_at <', why: 'Answers that nobody repeats any more.' },
];
