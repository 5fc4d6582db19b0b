import { deviceName } from '../../../base/device-name.ts';
import { ignoreThis, type Letter, nothingToDo, passwordLink, setPassword, worksOnce } from './letter.ts';

/** Sent to the owner of the books. */
export function accessGranted(baseUrl: string, access: { readonly email: string; readonly allows: string }): Letter {
  return {
    subject: `${access.email} can now see your Lotbook books`,
    paragraphs: [
      `${access.email} just got access to your books. The role: ${access.allows}`,
      'You can remove this access at any time on your account page.',
      "If this wasn't you, remove the access and set a new password now.",
    ],
    link: { label: 'See who has access', url: `${baseUrl}/account/access` },
  };
}

/** `link` cancels the deletion. */
export function accountDeletion(deletion: {
  readonly link: string;
  readonly erasedOn: string;
  readonly byOperator: boolean;
}): Letter {
  const { link, erasedOn, byOperator } = deletion;
  const who = byOperator
    ? 'The administrator of this server deleted your Lotbook account'
    : 'Your Lotbook account was deleted';
  return {
    subject: 'Your Lotbook account was deleted',
    paragraphs: [
      `${who} just now. All its sessions and tokens have ended, others no longer have access to its books, and billing has stopped. On ${erasedOn} all its data is permanently erased.`,
      "Until then, this link cancels the deletion and restores all your books. Signing in with your password also cancels it. Shared access, to your books and to other people's books, needs new invitations.",
      "If this wasn't you, cancel the deletion and set a new password now.",
    ],
    link: { label: 'Cancel deletion', url: link },
  };
}

export function deletionTakenBack(baseUrl: string): Letter {
  return {
    subject: 'The deletion of your Lotbook account was canceled',
    paragraphs: [
      'The deletion of your Lotbook account was canceled just now. All your books are available again.',
      setPassword,
    ],
    link: passwordLink(baseUrl),
  };
}

/** Tells the user that the account was erased. This is the last email to this address. */
export function accountErased(byOperator: boolean): Letter {
  return {
    subject: 'Your Lotbook account was erased',
    paragraphs: [
      `Your Lotbook account${byOperator ? ', which the administrator of this server deleted,' : ''} is now permanently erased with all its books, files, answers and reports. It can't be restored.`,
      "Backups of the server may still contain it for a while. Ask the server's administrator how long. This is the last email about it.",
    ],
  };
}

interface DigestLetter {
  /** The name of the client who owns the books, or null for the user's own books. */
  readonly client: string | null;
  readonly frequency: 'daily' | 'weekly';
  readonly items: readonly { readonly title: string; readonly body: string }[];
  /** The total number of new notifications. */
  readonly fresh: number;
  readonly link: string;
  readonly stopLink: string;
}

export function digest({ client, frequency, items, fresh, link, stopLink }: DigestLetter): Letter {
  const counted = `${fresh} new ${fresh === 1 ? 'notification' : 'notifications'}`;
  const books = client === null ? '' : ` in the books of ${client}`;
  const since = frequency === 'daily' ? 'the last daily email' : 'the last weekly email';
  const others = fresh - items.length;
  return {
    subject: `Lotbook: ${counted}${client === null ? '' : ` for ${client}`}`,
    paragraphs: [
      `You have ${counted}${books} since ${since}.`,
      ...(others > 0 ? [`Here are the newest ${items.length}. Lotbook has ${others} more.`] : []),
    ],
    link: { label: 'See them in Lotbook', url: link },
    items,
    stop: { label: 'Unsubscribe', url: stopLink },
  };
}

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

export function emailVerify({ link, days }: { readonly link: string; readonly days: number }): Letter {
  return {
    subject: 'Confirm your email address for Lotbook',
    paragraphs: [
      'A Lotbook account was created with this email address.',
      `Use the link to confirm that this is your address. ${worksOnce(`${days} days`)} Until then you can import and calculate, but you can't create tokens, passkeys, linked accounts or invitations.`,
      ignoreThis,
    ],
    link: { label: 'Confirm address', url: link },
  };
}

interface InvitationLetter {
  /** The email address of the inviter. The inviter's name is not shown, because it could contain any text. */
  readonly from: string;
  readonly kind: 'request' | 'offer' | 'handover' | 'ownership';
  /** The permissions of the role, as worded on the invitation page. */
  readonly allows: string;
  readonly link: string;
  readonly days: number;
}

export function invitation({ from, kind, allows, link, days }: InvitationLetter): Letter {
  const subject = `${from} ${subjects[kind]}`;
  const role = kind === 'ownership' ? 'You will own them. They keep a role in them until you end it:' : 'The role:';
  return {
    subject,
    paragraphs: [
      `${subject}. ${role} ${allows}`,
      `The link shows the details and works for ${days} days. Nothing changes unless you accept. Sign in with this email address, or create an account with it.`,
      "If you don't know this address, ignore this email.",
    ],
    link: { label: 'See the invitation', url: link },
  };
}

const subjects = {
  request: 'asks for access to your books in Lotbook',
  offer: 'offers you access to books in Lotbook',
  handover: 'wants to transfer a client to you in Lotbook',
  ownership: 'wants to give you your books in Lotbook',
} as const;

interface GuessedAccount {
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

export function newDevice(
  baseUrl: string,
  { at, device, address }: { readonly at: Date; readonly device: string; readonly address: string },
): Letter {
  const when = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return {
    subject: 'A sign-in to Lotbook from a new browser',
    paragraphs: [
      `Your Lotbook account was signed in to from a new browser: ${when}, from the address ${address}, ${device === '' ? 'an unknown program' : deviceName(device)}.`,
      nothingToDo,
      "If this wasn't you, set a new password now. That ends all sessions.",
    ],
    link: passwordLink(baseUrl),
  };
}

const operatorActions = {
  passwordLink: {
    subject: 'A link to set a new password for your Lotbook account',
    what: 'The administrator of this server just created a one-time link that sets a new password for your Lotbook account. They will give it to you directly. It is not in this email.',
  },
  factorRemoved: {
    subject: 'Two-factor authentication of your Lotbook account was turned off',
    what: 'The administrator of this server just turned off two-factor authentication for your Lotbook account: its app, its passkeys and its recovery codes no longer work. You sign in with your password only until you set up a new second factor.',
  },
} as const;

/** Sent to the account owner after an operator changed the account from the command line. */
export function operatorActionTaken(baseUrl: string, action: keyof typeof operatorActions): Letter {
  const { subject, what } = operatorActions[action];
  return buildOperatorLetter(baseUrl, subject, what);
}

export function operatorSetPlan(baseUrl: string, plan: string): Letter {
  const what = `The administrator of this server just set the plan of your Lotbook account to ${plan}.`;
  return buildOperatorLetter(baseUrl, `Your Lotbook account now has the plan ${plan}`, what);
}

function buildOperatorLetter(baseUrl: string, subject: string, what: string): Letter {
  return {
    subject,
    paragraphs: [
      what,
      'The activity log on your account page shows this. If you did not ask for it, contact the administrator of this server.',
    ],
    link: { label: 'View activity log', url: `${baseUrl}/account/audit` },
  };
}

export function passwordChanged(baseUrl: string): Letter {
  return {
    subject: 'Your Lotbook password was changed',
    paragraphs: [
      'The password of your Lotbook account was changed just now, and its other sessions have ended.',
      setPassword,
    ],
    link: passwordLink(baseUrl),
  };
}

export function passwordReset({ link, minutes }: { readonly link: string; readonly minutes: number }): Letter {
  return {
    subject: 'Set a new password for Lotbook',
    paragraphs: [
      'Someone asked to set a new password for the Lotbook account with this email address.',
      `${worksOnce(`${minutes} minutes`)} It ends all sessions of the account.`,
      `${ignoreThis} Your password stays the same.`,
    ],
    link: { label: 'Set a new password', url: link },
  };
}

export function secondFactorChanged(baseUrl: string, what: 'added' | 'removed'): Letter {
  const now = what === 'added' ? 'asks for a code from an authenticator app' : 'asks only for the password';
  return {
    subject: `Two-factor authentication of your Lotbook account was ${what}`,
    paragraphs: [`Signing in to your Lotbook account now ${now}.`, setPassword],
    link: passwordLink(baseUrl),
  };
}

export function signInLink({ link, minutes }: { readonly link: string; readonly minutes: number }): Letter {
  return {
    subject: 'Use a new browser for Lotbook',
    paragraphs: [
      'Your Lotbook account passed the first sign-in step (your password, Google or GitHub) in a browser that you have not used before. Many wrong passwords or codes were entered earlier, so we also ask you to use this link.',
      `If this was you, open the link in that browser and sign in again. ${worksOnce(`${minutes} minutes`)}`,
      "If this wasn't you, someone knows your password or uses your Google or GitHub account. Do not open the link. Choose “Forgot the password?” on the sign-in page and set a new password now.",
    ],
    link: { label: 'Use this browser', url: link },
  };
}

/**
 * Sent after a sign-in method was added or removed. `what` is the subject of the sentence, such as “The passkey
 * “Laptop”” or “A Google account”.
 */
export function signInMethodChanged(baseUrl: string, what: string, how: 'added' | 'removed'): Letter {
  return {
    subject: `A sign-in method for your Lotbook account was ${how}`,
    paragraphs: [
      how === 'added'
        ? `${what} can now be used to sign in to your Lotbook account.`
        : `${what} can no longer be used to sign in to your Lotbook account.`,
      `${setPassword} Then check the sign-in methods on your account page.`,
    ],
    link: passwordLink(baseUrl),
  };
}

export function programConnected(
  baseUrl: string,
  { name, host, scopes }: { readonly name: string; readonly host: string; readonly scopes: readonly string[] },
): Letter {
  return {
    subject: 'A program was connected to your Lotbook account',
    paragraphs: [
      `A program that calls itself “${name}” (${host}) was connected to your Lotbook account. Its permissions: ${scopes.join(', ')}.`,
      nothingToDo,
      "If this wasn't you, disconnect it and set a new password now.",
    ],
    link: { label: 'See connected programs', url: `${baseUrl}/account/tokens` },
  };
}

export function tokenCreated(
  baseUrl: string,
  { name, scopes }: { readonly name: string; readonly scopes: readonly string[] },
): Letter {
  return {
    subject: 'A new API token for your Lotbook account',
    paragraphs: [
      `An API token was created for your Lotbook account: “${name}”. Its permissions: ${scopes.join(', ')}.`,
      nothingToDo,
      "If this wasn't you, revoke it and set a new password now.",
    ],
    link: { label: 'See your tokens', url: `${baseUrl}/account/tokens` },
  };
}
