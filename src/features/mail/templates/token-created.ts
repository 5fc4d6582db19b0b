import type { Letter } from '../letter.ts';

export function tokenCreated(
  baseUrl: string,
  { name, scopes }: { readonly name: string; readonly scopes: readonly string[] },
): Letter {
  return {
    subject: 'A new token for your Lotbook account',
    paragraphs: [
      `A token for programs was made for your Lotbook account: “${name}”. It may ${scopes.join(', ')}.`,
      'If it was you, there is nothing to do.',
      'If it was not you, revoke it and set a new password at once.',
    ],
    link: { label: 'See your tokens', url: `${baseUrl}/account/tokens` },
  };
}
