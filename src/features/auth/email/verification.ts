import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { nameActor } from '../../../http/audit/audited-request.ts';
import { factsOf } from '../../../http/requests.ts';
import { mailOf } from '../../mail/letter.ts';
import { postMail } from '../../mail/post.ts';
import { emailVerify } from '../../mail/templates/email-verify.ts';
import { reportFailedProof } from '../failures/failures.ts';
import { countGuess, countTry, mailsTo, networkGuesser, refuseGuess } from '../guesses/guesses.ts';
import { linkTokenHash, linkWith, newLinkToken } from '../link-token.ts';
import { insertVerification, takeVerification } from './queries.ts';

export const verificationDays = 3;

interface Addressee {
  readonly userId: string;
  readonly email: string;
}

/** Mails a link that shows that the address is read. */
export async function mailVerification(deps: Deps, sql: Sql, { userId, email }: Addressee): Promise<void> {
  const token = newLinkToken();
  const verification = { tokenHash: linkTokenHash(token), userId, email, seconds: verificationDays * 86_400 };
  await insertVerification(sql, verification);
  const link = linkWith(deps.config, '/email/verify', token);
  await postMail(deps, sql, mailOf(email, emailVerify({ link, days: verificationDays })));
}

export async function mailVerificationAgain(deps: Deps, caller: Addressee): Promise<void> {
  await countTry(deps, mailsTo(caller.userId, 'verify', null));
  await deps.database.asService((sql) => mailVerification(deps, sql, caller));
}

export async function verifyEmail(deps: Deps, request: Request, token: string): Promise<void> {
  const guesser = networkGuesser(factsOf(request).network);
  await refuseGuess(deps, guesser);
  const isVerified = await deps.database.asService(async (sql) => {
    const userId = await takeVerification(sql, linkTokenHash(token));
    if (userId !== null) nameActor({ kind: 'found', userId, isProven: false });
    return userId !== null;
  });
  if (isVerified) return;
  await countGuess(deps, guesser);
  reportFailedProof(deps, { action: 'proof_failed', way: 'link', userId: null });
  const detail = `This link was used already, or it is older than ${verificationDays} days. Ask for a new one.`;
  throw new Refusal('invalid', detail, { errors: [{ code: 'invalid', pointer: '/token', detail }] });
}
