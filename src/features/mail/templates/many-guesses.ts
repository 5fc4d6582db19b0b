import type { Letter } from '../letter.ts';

export interface GuessedAccount {
  readonly failures: number;
  readonly since: Date;
  /** What a browser needs now that the account does not know. */
  readonly consequence: string;
}

export function manyGuesses(baseUrl: string, { failures, since, consequence }: GuessedAccount): Letter {
  return {
    subject: 'Many wrong passwords were sent for your Lotbook account',
    paragraphs: [
      `Since ${since.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${failures} wrong passwords or codes in a row were sent for your Lotbook account. Nobody has signed in with them.`,
      consequence,
      'If you use the password elsewhere too, or it is easy to guess, set a new one. Nobody can guess a passkey: you can add one under Account.',
    ],
    link: { label: 'Set a new password', url: `${baseUrl}/reset` },
  };
}
