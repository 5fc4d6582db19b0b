import { type Letter, passwordLink } from '../letter.ts';

export interface GuessedAccount {
  readonly failures: number;
  readonly since: Date;
  /** The consequence of the attack, such as additional confirmation in new browsers. */
  readonly consequence: string;
}

export function manyGuesses(baseUrl: string, { failures, since, consequence }: GuessedAccount): Letter {
  return {
    subject: 'Many wrong passwords were entered for your Lotbook account',
    paragraphs: [
      `Since ${since.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${failures} wrong passwords or codes in a row were entered for your Lotbook account. None of them worked.`,
      consequence,
      "If you also use this password elsewhere, or it is easy to guess, set a new one. Passkeys can't be guessed: you can add one on your account page.",
    ],
    link: passwordLink(baseUrl),
  };
}
