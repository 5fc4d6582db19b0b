import { type Letter, passwordLink, setPassword } from '../letter.ts';

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
