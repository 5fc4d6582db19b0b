import type { Letter } from '../letter.ts';

export function newDevice(
  baseUrl: string,
  { at, device, address }: { readonly at: Date; readonly device: string; readonly address: string },
): Letter {
  const when = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return {
    subject: 'A sign-in to Lotbook from a new browser',
    paragraphs: [
      `Somebody signed in to your Lotbook account from a browser that was not used for it before: ${when}, from the address ${address}, ${device === '' ? 'a program that does not say its name' : device}.`,
      'If it was you, there is nothing to do.',
      'If it was not you, set a new password at once. All sessions end then.',
    ],
    link: { label: 'Set a new password', url: `${baseUrl}/reset` },
  };
}
