import { invalidMember, Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../deps.ts';
import { getToday } from '../../ledger/transactions/view.ts';
import type { Caller, Taxpayer } from '../../people/auth/access.ts';
import { listGrants } from '../../people/clients/clients.queries.ts';
import type { ConsentRow } from './consents.queries.ts';

/** The maximum number of consents for a taxpayer, including revoked and expired consents, which are kept as records. */
export const consentsMax = 200;

/** The purpose that is written in a consent. */
export const consentPurpose =
  'To answer questions that my tax return preparer asks about my Lotbook books. The service receives the question, the conversation before it, and the data that it looks up in the books.';

/** Statements that the taxpayer must read before consenting, as prescribed by Rev. Proc. 2013-14, section 5.04. */
export const consentStatements = [
  'Federal law requires this consent form be provided to you. Unless authorized by law, we cannot disclose your tax return information to third parties for purposes other than the preparation and filing of your tax return without your consent. If you consent to the disclosure of your tax return information, Federal law may not protect your tax return information from further use or distribution.',
  'You are not required to complete this form to engage our tax return preparation services. If we obtain your signature on this form by conditioning our tax return preparation services on your consent, your consent will not be valid. If you agree to the disclosure of your tax return information, your consent is valid for the amount of time that you specify. If you do not specify the duration of your consent, your consent is valid for one year from the date of signature.',
  'If you believe your tax return information has been disclosed or used improperly in a manner unauthorized by law or without your permission, you may contact the Treasury Inspector General for Tax Administration (TIGTA) by telephone at 1-800-366-4484, or by email at complaints@tigta.treas.gov.',
] as const;

interface NewConsent {
  readonly signer: string;
  readonly preparer?: string;
  readonly signedOn?: string;
  readonly expiresOn?: string;
}

/**
 * Returns the consent to store. An owner consents for a CPA who has access. A manager records a consent that was signed
 * on paper.
 */
export async function readConsent(
  deps: Deps,
  { caller, taxpayer }: { readonly caller: Caller; readonly taxpayer: Taxpayer },
  newConsent: NewConsent,
): Promise<ConsentRow> {
  if (deps.assistant === null) throw new Refusal('conflict', 'This server sends nothing to an AI service.');
  const today = getToday(deps, taxpayer.timeZone);
  const isOwner = taxpayer.role === 'owner';
  if (isOwner && newConsent.signedOn !== undefined)
    throw invalid('signedOn', 'Your consent is signed today. Leave out this date.');
  if (!isOwner && newConsent.signedOn === undefined) throw invalid('signedOn', 'Enter the date on the signed consent.');
  const signedOn = newConsent.signedOn ?? today;
  if (signedOn > today) throw invalid('signedOn', "This date is in the future. Enter today's date or an earlier one.");
  const expiresOn = newConsent.expiresOn ?? oneYearAfter(signedOn);
  if (expiresOn < today) throw invalid('expiresOn', 'This consent has already expired. Enter a later date.');
  const preparer = isOwner
    ? await requireConsent(deps, taxpayer, newConsent.preparer)
    : await self(caller, newConsent.preparer);
  return {
    id: crypto.randomUUID(),
    preparerId: preparer.userId,
    preparer: preparer.email,
    service: deps.assistant.service,
    purpose: consentPurpose,
    signer: newConsent.signer.trim(),
    signedOn,
    expiresOn,
    method: isOwner ? 'taxpayer' : 'on_paper',
    recordedBy: caller.email,
    recordedAt: deps.clock.now(),
    revokedBy: null,
    revokedAt: null,
  };
}

async function requireConsent(deps: Deps, taxpayer: Taxpayer, userId: string | undefined) {
  const grants = await deps.database.asService((sql) => listGrants(sql, taxpayer.id), { readOnly: true });
  if (userId === undefined && grants.length > 1)
    throw invalid('preparer', 'Several CPAs have access. Set `preparer` to the id of a grant.');
  const grant = grants.find((each) => userId === undefined || each.userId === userId);
  if (grant === undefined) throw invalid('preparer', 'Give this CPA access to your books first.');
  return grant;
}

async function self({ userId, email }: Caller, preparer: string | undefined) {
  if (preparer !== undefined && preparer !== userId)
    throw invalid('preparer', 'You can record consents only for yourself. Leave out preparer.');
  return { userId, email };
}

/** Returns the last day of a consent that states no duration, which is valid for one year (26 CFR 301.7216-3(b)(5)). */
function oneYearAfter(day: string): string {
  const next = `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`;
  return next.endsWith('-02-29') ? next.replace(/29$/, '28') : next;
}

function invalid(name: keyof NewConsent, detail: string): Refusal {
  return invalidMember(`/${name}`, detail);
}
