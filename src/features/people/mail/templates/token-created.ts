import { type Letter, nothingToDo } from '../letter.ts';

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
