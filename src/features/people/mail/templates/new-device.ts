import { deviceName } from '../../../../base/device-name.ts';
import { type Letter, nothingToDo, passwordLink } from '../letter.ts';

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
