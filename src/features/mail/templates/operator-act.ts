import type { Letter } from '../letter.ts';

const acts = {
  passwordLink: {
    subject: 'A link that sets a new password for your Lotbook account',
    what: 'Whoever runs this server made a link just now that sets a new password for your Lotbook account, once. They hand it to you themselves: it is not in this mail.',
  },
  factorRemoved: {
    subject: 'The second factor of your Lotbook account was removed',
    what: 'Whoever runs this server removed the second factor of your Lotbook account just now: its app, its passkeys and its recovery codes count no more. The password is enough until you set up another one.',
  },
} as const;

/** To the owner of an account, of what an operator did to it from the command line. */
export function operatorActed(baseUrl: string, act: keyof typeof acts): Letter {
  const { subject, what } = acts[act];
  return letterOf(baseUrl, subject, what);
}

export function operatorSetPlan(baseUrl: string, plan: string): Letter {
  const what = `Whoever runs this server set the plan of your Lotbook account to ${plan} just now.`;
  return letterOf(baseUrl, `Your Lotbook account has the plan ${plan}`, what);
}

function letterOf(baseUrl: string, subject: string, what: string): Letter {
  return {
    subject,
    paragraphs: [
      what,
      'It stands in the list of who did what, under Account. If you did not ask for it, ask whoever runs this server.',
    ],
    link: { label: 'See who did what', url: `${baseUrl}/account/audit` },
  };
}
