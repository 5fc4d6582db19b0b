import type { Letter } from '../letter.ts';

/** To the new address. */
export function emailConfirm({ link, minutes }: { readonly link: string; readonly minutes: number }): Letter {
  return {
    subject: 'Confirm your new e-mail address for Lotbook',
    paragraphs: [
      'Somebody wants to sign in to Lotbook with this e-mail address from now on.',
      `The link confirms it, once, within ${minutes} minutes.`,
      'If it was not you, leave this mail alone. Nothing changes.',
    ],
    link: { label: 'Confirm the address', url: link },
  };
}

/** To the old address, when it is asked for and when it is done. */
export function emailChanged(change: {
  readonly baseUrl: string;
  readonly email: string;
  readonly isDone: boolean;
}): Letter {
  const { baseUrl, email, isDone } = change;
  return {
    subject: isDone
      ? 'The e-mail address of your Lotbook account was changed'
      : 'A new e-mail address for your Lotbook account',
    paragraphs: [
      isDone
        ? `Your Lotbook account has the e-mail address ${email} now. Mails go there, and one signs in with it.`
        : `Somebody who is signed in to your Lotbook account asked for the e-mail address ${email} in the place of this one. It changes once that address is confirmed.`,
      isDone
        ? 'If it was not you, ask whoever runs this server for help at once.'
        : 'If it was not you, set a new password at once. All sessions end then.',
    ],
    link: { label: isDone ? 'Open Lotbook' : 'Set a new password', url: isDone ? baseUrl : `${baseUrl}/reset` },
  };
}
