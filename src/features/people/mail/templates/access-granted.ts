import type { Letter } from '../letter.ts';

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
