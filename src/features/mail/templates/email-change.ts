import type { Letter } from '../letter.ts';

/** Sent to the new address. */
export function emailConfirm({ link, minutes }: { readonly link: string; readonly minutes: number }): Letter {
  return {
    subject: 'Confirm your new e-mail address for Lotbook',
    paragraphs: [
      'Somebody wants to sign in to Lotbook with this e-mail address from now on.',
      `The link confirms it, once, within ${minutes} minutes.`,
      'If it was not you, you can ignore this email. Nothing changes.',
    ],
    link: { label: 'Confirm the address', url: link },
  };
}

/** To the present address, when the change is requested. */
export function emailChangeRequested({ email, link }: { readonly email: string; readonly link: string }): Letter {
  return {
    subject: 'A new e-mail address for your Lotbook account',
    paragraphs: [
      `Somebody who is signed in to your Lotbook account asked to replace this e-mail address with ${email}. If it was not you, cancel the change with this link.`,
      `Otherwise you do not have to do anything. The address changes as soon as somebody confirms it at ${email}.`,
      'If it was not you, set a new password as well. All sessions end then, and so does every link that was requested before.',
    ],
    link: { label: 'Cancel this change', url: link },
  };
}

/** Sent to the previous address after the change. `link`: null if the previous address was never confirmed. */
export function emailChanged(change: {
  readonly email: string;
  readonly link: string | null;
  readonly days: number;
}): Letter {
  const { email, link, days } = change;
  const subject = 'The e-mail address of your Lotbook account was changed';
  const done = `Your Lotbook account has the e-mail address ${email} now. Mails go there, and you sign in with it.`;
  if (link === null) {
    return { subject, paragraphs: [done, 'If it was not you, ask whoever runs this server for help at once.'] };
  }
  return {
    subject,
    paragraphs: [
      `${done} If it was not you, undo the change with this link.`,
      `The link works for ${days} days. It gives the account this address again, ends all sessions, and removes the password and everything added since the day before the request: tokens, passkeys, linked accounts, invitations and access for others. We then mail you a link that sets a new password.`,
      'If it was you, you can ignore this email.',
    ],
    link: { label: 'Undo this change', url: link },
  };
}

/** Sent to the address that the account has again. */
export function emailChangeUndone({ link, minutes }: { readonly link: string; readonly minutes: number }): Letter {
  return {
    subject: 'Your Lotbook account has this e-mail address again',
    paragraphs: [
      'The change of the e-mail address of your Lotbook account was undone just now. Set a new password with this link.',
      `The link works once, within ${minutes} minutes. All sessions have ended, and nobody signs in with the old password any more.`,
      'What was added since the day before the change was requested is gone: tokens, passkeys, linked accounts, an authenticator app, recovery codes, invitations, and access that was given to other people. The page of the link also lets you end what was there before.',
    ],
    link: { label: 'Set a new password', url: link },
  };
}
