import type { Letter } from '../letter.ts';

/** Sent to the owner of the books. */
export function accessGranted(baseUrl: string, given: { readonly email: string; readonly allows: string }): Letter {
  return {
    subject: `${given.email} can now see your Lotbook books`,
    paragraphs: [
      `${given.email} just got access to your books. The role: ${given.allows}`,
      'You can remove this access at any time on your account page.',
      "If this wasn't you, remove the access and set a new password now.",
    ],
    link: { label: 'See who has access', url: `${baseUrl}/account/access` },
  };
}
