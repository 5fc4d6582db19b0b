import type { Letter } from '../letter.ts';

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
