import type { Letter } from '../letter.ts';

/** `link`: takes the deletion back. */
export function accountDeletion(given: {
  readonly link: string;
  readonly erasedOn: string;
  readonly byOperator: boolean;
}): Letter {
  const { link, erasedOn, byOperator } = given;
  const who = byOperator ? 'Whoever runs this server deleted your Lotbook account' : 'Your Lotbook account was deleted';
  return {
    subject: 'Your Lotbook account is deleted',
    paragraphs: [
      `${who} just now. All its sessions and tokens have ended, nobody sees its books any more, and nothing more is paid. On ${erasedOn} everything in it is erased for good.`,
      'Until then the link takes the deletion back, with all the books. Signing in with your password does, too. Who was let into your books, and into whose books you were let, has to be invited again.',
      'If it was not you, take it back at once, and set a new password.',
    ],
    link: { label: 'Take the deletion back', url: link },
  };
}

export function deletionTakenBack(baseUrl: string): Letter {
  return {
    subject: 'Your Lotbook account is not deleted after all',
    paragraphs: [
      'The deletion of your Lotbook account was taken back just now. All its books are there.',
      'If it was not you, somebody else reached your account or your mail. Set a new password here at once.',
    ],
    link: { label: 'Set a new password', url: `${baseUrl}/reset` },
  };
}

/** The last mail. */
export function accountErased(byOperator: boolean): Letter {
  return {
    subject: 'Your Lotbook account is erased',
    paragraphs: [
      `Your Lotbook account${byOperator ? ', which whoever runs this server deleted,' : ''} is erased now, with all its books, files, answers and reports. Nobody can bring it back.`,
      'Backups of the server may hold it for a while: whoever runs the server says how long. You get no more mails about it.',
    ],
  };
}
