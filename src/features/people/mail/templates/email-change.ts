import { ignoreThis, type Letter, nothingToDo, worksOnce } from '../letter.ts';

/** Sent to the new address. */
export function emailConfirm({ link, minutes }: { readonly link: string; readonly minutes: number }): Letter {
  return {
    subject: 'Confirm your new email address for Lotbook',
    paragraphs: [
      'Someone asked to use this email address to sign in to Lotbook.',
      `Use the link to confirm it. ${worksOnce(`${minutes} minutes`)}`,
      `${ignoreThis} Nothing will change.`,
    ],
    link: { label: 'Confirm address', url: link },
  };
}

/** Sent to the current address when the change is requested. */
export function emailChangeRequested({ email, link }: { readonly email: string; readonly link: string }): Letter {
  return {
    subject: 'A new email address for your Lotbook account',
    paragraphs: [
      `Someone signed in to your Lotbook account asked to replace this email address with ${email}. If this wasn't you, use this link to cancel the change.`,
      `Otherwise, you don't have to do anything. The address changes once ${email} is confirmed.`,
      "If this wasn't you, also set a new password. That ends all sessions and disables all links requested earlier.",
    ],
    link: { label: 'Cancel this change', url: link },
  };
}

/** Sent to the previous address after the change. `link` is null if the previous address was never confirmed. */
export function emailChanged(change: {
  readonly email: string;
  readonly link: string | null;
  readonly days: number;
}): Letter {
  const { email, link, days } = change;
  const subject = 'The email address of your Lotbook account was changed';
  const done = `The email address of your Lotbook account is now ${email}. We send emails there, and you sign in with it.`;
  if (link === null) {
    return { subject, paragraphs: [done, "If this wasn't you, ask the administrator of this server for help now."] };
  }
  return {
    subject,
    paragraphs: [
      `${done} If this wasn't you, use this link to undo the change.`,
      `The link works for ${days} days. It restores this address, ends all sessions, and removes the password and everything added since the day before the request: tokens, passkeys, linked accounts, invitations and access for others. We then email you a link to set a new password.`,
      nothingToDo,
    ],
    link: { label: 'Undo this change', url: link },
  };
}

/** Sent to the address that was restored. */
export function emailChangeUndone({ link, minutes }: { readonly link: string; readonly minutes: number }): Letter {
  return {
    subject: 'The previous email address of your Lotbook account was restored',
    paragraphs: [
      'The change to the email address of your Lotbook account was just undone. Use this link to set a new password.',
      `${worksOnce(`${minutes} minutes`)} All sessions have ended, and the old password no longer works.`,
      'Everything added since the day before the change was requested has been removed: tokens, passkeys, linked accounts, an authenticator app, recovery codes, invitations, and access given to other people. On the linked page, you can also remove tokens, passkeys and other items that were added earlier.',
    ],
    link: { label: 'Set a new password', url: link },
  };
}
