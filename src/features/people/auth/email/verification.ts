import type { Sql } from '../../../../db/connection.ts';
import type { Deps } from '../../../../deps.ts';
import { nameActor } from '../../../../http/audit/audited-request.ts';
import { getRequestFacts } from '../../../../http/requests.ts';
import { postLetter } from '../../mail/delivery.ts';
import { emailVerify } from '../../mail/templates.ts';
import { reportFailedProof } from '../failures.ts';
import { countGuess, countTry, mailsTo, networkGuesser, refuseGuess } from '../guesses.ts';
import { linkWith, usedLink } from '../link-token.ts';
import { consumeToken, issueToken, lifetimeMinutesOf, type TokenHolder } from '../one-time-tokens.queries.ts';
import { markVerified } from './email.queries.ts';

export const verificationDays = lifetimeMinutesOf('email_verification') / 1440;

interface Addressee extends TokenHolder {
  readonly email: string;
}

/** Emails a link that confirms the address. */
export async function mailVerification(deps: Deps, sql: Sql, { email, ...holder }: Addressee): Promise<void> {
  const token = await issueToken(sql, 'email_verification', { holder, payload: { email } });
  const link = linkWith(deps.config, '/email/verify', token);
  await postLetter(deps, sql, email, emailVerify({ link, days: verificationDays }));
}

export async function mailVerificationAgain(deps: Deps, caller: Addressee): Promise<void> {
  await countTry(deps, mailsTo(caller.userId, 'verify', null));
  const { userId, stamp, email } = caller;
  await deps.database.asService((sql) => mailVerification(deps, sql, { userId, stamp, email }));
}

export async function verifyEmail(deps: Deps, request: Request, token: string): Promise<void> {
  const guesser = networkGuesser(getRequestFacts(request).address);
  await refuseGuess(deps, guesser);
  const isVerified = await deps.database.asService(async (sql) => {
    const open = await consumeToken(sql, 'email_verification', token);
    if (open === undefined || !(await markVerified(sql, open.user.userId, open.payload.email))) return false;
    nameActor({ kind: 'found', userId: open.user.userId, isProven: false });
    return true;
  });
  if (isVerified) return;
  await countGuess(deps, guesser);
  reportFailedProof(deps, { action: 'proof_failed', way: 'link', userId: null });
  throw usedLink(`it is older than ${verificationDays} days`, 'Request a new one.');
}
