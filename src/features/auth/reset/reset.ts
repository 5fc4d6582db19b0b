import { Refusal } from '../../../base/refusal.ts';
import type { Database } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { nameActor } from '../../../http/audit/audited-request.ts';
import { insertEntryOfUser } from '../../../http/audit/queries.ts';
import { factsOf } from '../../../http/requests.ts';
import { mailOf } from '../../mail/letter.ts';
import { postMail } from '../../mail/post.ts';
import { passwordChanged } from '../../mail/templates/password-changed.ts';
import { passwordReset } from '../../mail/templates/password-reset.ts';
import { deviceHash } from '../devices/device.ts';
import { knowsDevice } from '../devices/queries.ts';
import { markVerified } from '../email/queries.ts';
import { reportFailedProof } from '../failures/failures.ts';
import {
  countGuess,
  countTry,
  isWithin,
  mailsTo,
  networkGuesser,
  refuseGuess,
  resetsFrom,
} from '../guesses/guesses.ts';
import { linkTokenHash, linkWith, newLinkToken } from '../link-token.ts';
import { hashPassword } from '../passwords/password.ts';
import { refuseWeakPassword } from '../passwords/weak.ts';
import { updatePassword } from '../queries.ts';
import { deleteSessionsOf } from '../sessions/queries.ts';
import { canonicalEmail } from '../sign-in.ts';
import { deleteDevices, deleteResets, insertReset, readReset, readResettable, takeReset } from './queries.ts';

export const resetMinutes = 30;
/** Of one user. Whoever asks in the name of others sends them so many mails, and closes none of their links. */
const openMax = 3;

/**
 * Mails a link to whoever has an account. All of it happens beside the answer, which therefore says nothing of who has
 * one, neither by its words nor by its time.
 */
export async function requestReset(deps: Deps, request: Request, email: string): Promise<void> {
  await countTry(deps, resetsFrom(factsOf(request).network));
  const leave = deps.lifecycle.enter();
  mailLink(deps, canonicalEmail(email), deviceHash(request))
    .catch((error: unknown) => deps.log.error('link to reset a password not made', error))
    .finally(leave);
}

/** The link that sets a new password, for the operator; undefined where nobody has this address. */
export async function resetLink(
  { database, config }: Pick<Deps, 'config'> & { readonly database: Database },
  email: string,
): Promise<string | undefined> {
  const token = newLinkToken();
  const made = await database.asService(async (sql) => {
    const user = await readResettable(sql, canonicalEmail(email));
    if (user === undefined) return false;
    const reset = { tokenHash: linkTokenHash(token), userId: user.id, seconds: resetMinutes * 60 };
    const isMade = await insertReset(sql, { ...reset, openMax: Number.MAX_SAFE_INTEGER });
    await insertEntryOfUser(sql, user.id, {
      action: 'password_reset_asked',
      subject: null,
      actor: 'operator',
      address: null,
      requestId: null,
    });
    return isMade;
  });
  return made ? linkWith(config, '/reset/confirm', token) : undefined;
}

/** Sets the password by a link. All sessions end: one of them may be of the person who is kept out by it. */
export async function confirmReset(
  deps: Deps,
  request: Request,
  given: { readonly token: string; readonly password: string },
): Promise<void> {
  const guesser = networkGuesser(factsOf(request).network);
  await refuseGuess(deps, guesser);
  const tokenHash = linkTokenHash(given.token);
  const user = await deps.database.asService((sql) => readReset(sql, tokenHash));
  if (user === undefined) {
    await countGuess(deps, guesser);
    reportFailedProof(deps, { action: 'proof_failed', way: 'link', userId: null });
    throw usedLink();
  }
  await refuseWeakPassword(given.password, user.email);
  const passwordHash = await hashPassword(given.password, factsOf(request).network);
  await deps.database.asService(async (sql) => {
    if (!(await takeReset(sql, tokenHash))) throw usedLink();
    nameActor({ kind: 'found', userId: user.id, isProven: true });
    await updatePassword(sql, user.id, passwordHash);
    // Whoever has the link reads the mails of the address.
    await markVerified(sql, user.id, user.email);
    await deleteResets(sql, user.id);
    await deleteDevices(sql, user.id);
    await deleteSessionsOf(sql, user.id);
    await postMail(deps, sql, mailOf(user.email, passwordChanged(deps.config.baseUrl)));
  });
}

async function mailLink(deps: Deps, email: string, device: Uint8Array): Promise<void> {
  const token = newLinkToken();
  const asked = await deps.database.asService(async (sql) => {
    const found = await readResettable(sql, email);
    return found && { ...found, isKnownHere: await knowsDevice(sql, found.id, device) };
  });
  if (asked === undefined) return;
  const mails = mailsTo(asked.id, 'reset', asked.isKnownHere ? device.toHex() : null);
  if (!(await isWithin(deps, mails))) return;
  await deps.database.asService(async (sql) => {
    const found = await readResettable(sql, email);
    if (found === undefined) return;
    const reset = { tokenHash: linkTokenHash(token), userId: found.id, seconds: resetMinutes * 60, openMax };
    nameActor({ kind: 'found', userId: found.id, isProven: false });
    if (!(await insertReset(sql, reset))) return;
    const letter = passwordReset({ link: linkWith(deps.config, '/reset/confirm', token), minutes: resetMinutes });
    await postMail(deps, sql, mailOf(found.email, letter), { minutes: resetMinutes });
  });
}

function usedLink(): Refusal {
  const detail = `This link was used already, or it is older than ${resetMinutes} minutes. Ask for a new one.`;
  return new Refusal('invalid', detail, { errors: [{ code: 'invalid', pointer: '/token', detail }] });
}
