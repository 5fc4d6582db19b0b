import { Refusal } from '../../../base/refusal.ts';

/** To who showed that the account was theirs. `erasedAt`: until then the deletion can be taken back; null: it was erased just now. */
export function accountDeleted(erasedAt: Date | null): Refusal {
  if (erasedAt === null) return new Refusal('unauthenticated', 'This account does not exist any more.');
  const detail = `This account is deleted, and it is erased on ${erasedAt.toISOString().slice(0, 10)}. Until then you can take that back: sign in with the password and \`restore\`, or use the link in the mail about it.`;
  return new Refusal('account_deleted', detail, { members: { erasedAt: erasedAt.toISOString() } });
}

export function addressTaken(): Refusal {
  return new Refusal(
    'email_taken',
    'A new account has this e-mail address by now. Change its address or delete it, then take the deletion of the old one back.',
  );
}
