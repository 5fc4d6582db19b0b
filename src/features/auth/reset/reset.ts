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
import { linkWith } from '../link-token.ts';
import { minutesOf } from '../one-time-tokens/kinds.ts';
import { consumeToken, countOpenTokens, findToken, issueToken } from '../one-time-tokens/queries.ts';
import { hashPassword } from '../passwords/password.ts';
import { refuseWeakPassword } from '../passwords/weak.ts';
import { updatePassword } from '../queries.ts';
import { deleteSessionsOf } from '../sessions/queries.ts';
import { canonicalEmail } from '../sign-in.ts';
import { deleteDevices, lockResettable } from './queries.ts';

export const resetMinutes = minutesOf('password_reset');
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
  const token = await database.asService(async (sql) => {
    const user = await lockResettable(sql, canonicalEmail(email));
    if (user === undefined) return undefined;
    const issued = await issueToken(sql, 'password_reset', { holder: user, payload: { isMailed: false } });
    await insertEntryOfUser(sql, user.userId, {
      action: 'password_reset_asked',
      subject: null,
      actor: 'operator',
      address: null,
      requestId: null,
    });
    return issued;
  });
  return token === undefined ? undefined : linkWith(config, '/reset/confirm', token);
}

/** Sets the password by a link. All sessions end: one of them may be of the person who is kept out by it. */
export async function confirmReset(
  deps: Deps,
  request: Request,
  given: { readonly token: string; readonly password: string },
): Promise<void> {
  const guesser = networkGuesser(factsOf(request).network);
  await refuseGuess(deps, guesser);
  const found = await deps.database.asService((sql) => findToken(sql, 'password_reset', given.token));
  if (found === undefined) {
    await countGuess(deps, guesser);
    reportFailedProof(deps, { action: 'proof_failed', way: 'link', userId: null });
    throw usedLink();
  }
  await refuseWeakPassword(given.password, found.user.email ?? '');
  const passwordHash = await hashPassword(given.password, factsOf(request).network);
  await deps.database.asService(async (sql) => {
    const open = await consumeToken(sql, 'password_reset', given.token);
    if (open === undefined || open.user.email === null) throw usedLink();
    const { userId, email } = open.user;
    nameActor({ kind: 'found', userId, isProven: true });
    await updatePassword(sql, userId, passwordHash);
    // Whoever was mailed the link reads the mails of the address.
    if (open.payload.isMailed) await markVerified(sql, userId, email);
    await deleteDevices(sql, userId);
    await deleteSessionsOf(sql, userId);
    await postMail(deps, sql, mailOf(email, passwordChanged(deps.config.baseUrl)));
  });
}

async function mailLink(deps: Deps, email: string, device: Uint8Array): Promise<void> {
  const asked = await deps.database.asService(async (sql) => {
    const found = await lockResettable(sql, email);
    return found && { ...found, isKnownHere: await knowsDevice(sql, found.userId, device) };
  });
  if (asked === undefined) return;
  const mails = mailsTo(asked.userId, 'reset', asked.isKnownHere ? device.toHex() : null);
  if (!(await isWithin(deps, mails))) return;
  await deps.database.asService(async (sql) => {
    const user = await lockResettable(sql, email);
    if (user === undefined) return;
    nameActor({ kind: 'found', userId: user.userId, isProven: false });
    if ((await countOpenTokens(sql, user, 'password_reset')) >= openMax) return;
    const token = await issueToken(sql, 'password_reset', { holder: user, payload: { isMailed: true } });
    const letter = passwordReset({ link: linkWith(deps.config, '/reset/confirm', token), minutes: resetMinutes });
    await postMail(deps, sql, mailOf(user.email, letter), { minutes: resetMinutes });
  });
}

function usedLink(): Refusal {
  const detail = `This link was used already, or it is older than ${resetMinutes} minutes. Ask for a new one.`;
  return new Refusal('invalid', detail, { errors: [{ code: 'invalid', pointer: '/token', detail }] });
}
