import { clientId } from './acting.ts';
import { api, got } from './api.ts';
import { booksChanged } from './changes.ts';
import { useResource } from './resource.ts';

function readAiConsents() {
  return got(api.ai.consents.get({ query: {} }));
}

export type AiConsentAnswer = Awaited<ReturnType<typeof readAiConsents>>['data'][number];
export type NewAiConsentFields = Parameters<typeof api.ai.consents.post>[0];

/** Consents for the open books. */
export function useAiConsents() {
  return useResource(`ai consents ${clientId.value}`, readAiConsents);
}

export async function giveAiConsent(consent: NewAiConsentFields): Promise<void> {
  await got(api.ai.consents.post(consent));
  booksChanged();
}

export async function revokeAiConsent(id: string): Promise<void> {
  await got(api.ai.consents({ id }).delete());
  booksChanged();
}
