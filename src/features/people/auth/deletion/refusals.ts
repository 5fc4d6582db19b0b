import { Refusal } from '../../../../base/refusal.ts';

/**
 * Returns the response for a caller who proved that the deleted account was theirs. The deletion can be canceled until
 * `erasedAt`. Null means that the account is already erased.
 */
export function accountDeleted(erasedAt: Date | null): Refusal {
  if (erasedAt === null) return new Refusal('unauthenticated', 'This account no longer exists.');
  const detail = `This account is deleted and will be erased on ${erasedAt.toISOString().slice(0, 10)}. To cancel the deletion before then, sign in with the password and \`restore\`, or use the link in the email about the deletion.`;
  return new Refusal('account_deleted', detail, { members: { erasedAt: erasedAt.toISOString() } });
}

export function addressTaken(): Refusal {
  return new Refusal(
    'email_taken',
    'A new account uses this email address. Change the address of that account or delete it, then cancel the deletion of the old one.',
  );
}
