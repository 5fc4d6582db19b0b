import type { Deps } from '../../../../deps.ts';
import { insertEntryOfUser } from '../../../../http/audit/queries.ts';
import { postLetter } from '../../mail/post.ts';
import { manyGuesses } from '../../mail/templates.ts';
import { readOwnBooks } from '../../notifications/notifications.queries.ts';
import { notify } from '../../notifications/notify.ts';
import { guessesMax, paceMinutes } from './ceiling.ts';
import { takeEpisode } from './guesses.queries.ts';

/**
 * Notifies the owner that consecutive failures have reached the limit. Sends a notification and an email, and adds an
 * audit entry, once until the next sign-in. If the server stops before the commit, the next failure triggers it again.
 */
export async function reportEpisode(deps: Deps, userId: string, email: string | null): Promise<void> {
  const failures = await deps.database.asService(async (sql) => {
    const episode = await takeEpisode(sql, userId, guessesMax);
    if (episode === undefined) return undefined;
    const entry = { subject: null, actor: 'anyone', address: null, requestId: null } as const;
    await insertEntryOfUser(sql, userId, { action: 'sign_in_guesses_noticed', ...entry });
    const count = episode.passwords + episode.codes;
    const consequence = describeConsequence(deps);
    const books = await readOwnBooks(sql, userId);
    if (books !== undefined) {
      await notify(sql, books, {
        kind: 'sign_in_guesses',
        title: `${count} wrong passwords or codes in a row were entered for your account`,
        body: `None of these attempts signed in. ${consequence} If you use the same password elsewhere, set a new one.`,
        link: '/v1/account/audit?action=sign_in_failed',
        at: deps.clock.now(),
      });
    }
    const guessed = { failures: count, since: episode.startedAt, consequence };
    if (email !== null) await postLetter(deps, sql, email, manyGuesses(deps.config.baseUrl, guessed));
    return count;
  });
  if (failures !== undefined) deps.log.warn('many failures in a row at an account', { userId, failures });
}

function describeConsequence({ config }: Deps): string {
  const usual =
    'Browsers that you have used before and passkeys work as always. So do Google and GitHub, unless more than 100 codes were wrong.';
  return config.mail === null
    ? `A browser that you have not used before can now try only once every ${paceMinutes} minutes. ${usual}`
    : `A browser that you have not used before now needs a link, which we email after the right password. ${usual}`;
}
