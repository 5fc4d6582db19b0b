import type { Deps } from '../../../deps.ts';
import { insertEntryOfUser } from '../../../http/audit/queries.ts';
import { mailOf } from '../../mail/letter.ts';
import { postMail } from '../../mail/post.ts';
import { manyGuesses } from '../../mail/templates/many-guesses.ts';
import { notify } from '../../notifications/notify.ts';
import { readOwnBooks } from '../../notifications/queries.ts';
import { takeEpisode } from './ceiling.queries.ts';
import { guessesMax, paceMinutes } from './ceiling.ts';

/**
 * Tells the owner, once until the next sign-in, that failures in a row have reached the ceiling: a notification, a mail and an
 * entry in the audit trail. If the server stops before the commit, the next failure does it.
 */
export async function reportEpisode(deps: Deps, userId: string, email: string | null): Promise<void> {
  const failures = await deps.database.asService(async (sql) => {
    const episode = await takeEpisode(sql, userId, guessesMax);
    if (episode === undefined) return undefined;
    const entry = { subject: null, actor: 'anyone', address: null, requestId: null } as const;
    await insertEntryOfUser(sql, userId, { action: 'sign_in_guesses_noticed', ...entry });
    const count = episode.passwords + episode.codes;
    const consequence = consequenceOf(deps);
    const books = await readOwnBooks(sql, userId);
    if (books !== undefined) {
      await notify(sql, books, {
        kind: 'sign_in_guesses',
        title: `${count} wrong passwords or codes in a row were sent for your account`,
        body: `Nobody has signed in with them. ${consequence} If you use the password elsewhere too, set a new one.`,
        link: '/v1/account/audit?action=sign_in_failed',
        at: deps.clock.now(),
      });
    }
    const guessed = { failures: count, since: episode.startedAt, consequence };
    if (email !== null) await postMail(deps, sql, mailOf(email, manyGuesses(deps.config.baseUrl, guessed)));
    return count;
  });
  if (failures !== undefined) deps.log.warn('many failures in a row at an account', { userId, failures });
}

function consequenceOf({ config }: Deps): string {
  const usual =
    'Browsers that you used before and passkeys work as always, and so do Google and GitHub, unless more than 100 codes were wrong.';
  return config.mail === null
    ? `From now on, a browser that you have not used before may try once every ${paceMinutes} minutes. ${usual}`
    : `From now on, a browser that you have not used before needs a link, which we mail after the right password. ${usual}`;
}
