import { api, unwrapResponse } from './api.ts';
import { write } from './changes.ts';
import { clientId } from './page-url.ts';
import { useResource } from './resource.ts';

function readAiConsents() {
  return unwrapResponse(api.ai.consents.get({ query: {} }));
}

export type AiConsentDetails = Awaited<ReturnType<typeof readAiConsents>>['data'][number];
export type NewAiConsentFields = Parameters<typeof api.ai.consents.post>[0];

/** Consents for the open books. */
export function useAiConsents() {
  return useResource(`ai consents ${clientId.value}`, readAiConsents);
}

export async function giveAiConsent(consent: NewAiConsentFields): Promise<void> {
  await write(api.ai.consents.post(consent));
}

export async function revokeAiConsent(id: string): Promise<void> {
  await write(api.ai.consents({ id }).delete());
}
