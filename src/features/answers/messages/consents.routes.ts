import { Elysia, status, t } from 'elysia';
import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../deps.ts';
import { parseDayParameter, parseUuid, requireFound } from '../../../http/errors.ts';
import { group, person, read } from '../../../http/operations.ts';
import { closed, day, id, instant, notBlank, nullable, oneOf, problems } from '../../../http/schemas.ts';
import { getToday } from '../../ledger/transactions/view.ts';
import type { Access } from '../../people/auth/access.ts';
import { type ConsentRow, insertConsent, revokeConsent, selectConsents } from './consents.queries.ts';
import { consentPurpose, consentStatements, consentsMax, readConsent } from './consents.ts';

const AiConsent = closed(
  {
    id,
    preparer: closed({ id, email: t.String() }),
    service: t.String({ description: 'The host of the AI service.' }),
    purpose: t.String(),
    signer: t.String({ description: 'The name used as the signature.' }),
    signedOn: day,
    expiresOn: day,
    method: oneOf(['taxpayer', 'on_paper'], '`on_paper`: recorded by the CPA of a client without an account.'),
    recordedBy: t.String({ description: 'An email address.' }),
    recordedAt: instant,
    revokedBy: nullable(t.String()),
    revokedAt: nullable(instant),
    isInEffect: t.Boolean({
      description: 'Whether the consent is neither revoked nor expired, and covers the service of this server.',
    }),
  },
  { title: 'AiConsent' },
);

const AiConsents = closed(
  {
    service: nullable(
      t.String({ description: 'The AI service of this server. Null if there is none, so that no consent is needed.' }),
    ),
    purpose: t.String(),
    statements: t.Array(t.String(), { description: 'The statements to read before consenting (Rev. Proc. 2013-14).' }),
    data: t.Array(AiConsent),
  },
  { title: 'AiConsentList' },
);

const { onBooks } = group('AI messages');

/** Manages consents to send a CPA's questions about the books to the AI service (26 CFR 301.7216-3). */
export const consentRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/ai/consents' })
    .use(access)
    .get(
      '',
      async ({ books, taxpayer }) => {
        const rows = await books.read((sql) => selectConsents(sql, taxpayer.id));
        const service = deps.assistant?.service ?? null;
        const scope = { service, today: getToday(deps, taxpayer.timeZone) };
        return {
          service,
          purpose: consentPurpose,
          statements: [...consentStatements],
          data: rows.map((row) => consentView(row, scope)),
        };
      },
      onBooks('listAiConsents', read, {
        summary: 'List consents to the AI service, newest first',
        description: 'Includes revoked and expired consents.',
        response: { 200: AiConsents },
      }),
    )
    .post(
      '',
      async ({ books, body, caller, taxpayer }) => {
        parseDayParameter('signedOn', body.signedOn);
        parseDayParameter('expiresOn', body.expiresOn);
        const row = await readConsent(deps, { caller, taxpayer }, body);
        const isStored = await books.change((sql) => insertConsent(sql, taxpayer.id, row, consentsMax));
        if (!isStored) throw new Refusal('conflict', `These books already have ${consentsMax} consents, the maximum.`);
        return status(201, consentView(row, { service: row.service, today: getToday(deps, taxpayer.timeZone) }));
      },
      onBooks('createAiConsent', person('ai_consent_given'), {
        summary: 'Consent to the AI service, or record a signed consent',
        description:
          'The owner consents for one CPA with access. The manager of a client without an account records that a signed consent exists. Without a valid consent, a CPA’s questions about these books are answered from the books alone. The owner’s questions need no consent.',
        body: closed(
          {
            signer: t.String({
              minLength: 1,
              maxLength: 200,
              ...notBlank,
              description: 'The full name, typed as a signature.',
            }),
            preparer: t.Optional(
              t.String({
                maxLength: 36,
                description:
                  'The id of a CPA’s grant. Required if more than one CPA has access. A manager leaves it out.',
              }),
            ),
            signedOn: t.Optional(
              t.String({
                maxLength: 10,
                description: 'For a manager: the date on the signed consent of a client without an account.',
              }),
            ),
            expiresOn: t.Optional(
              t.String({
                maxLength: 10,
                description: 'The last day of the consent. Default: one year after the signature.',
              }),
            ),
          },
          { title: 'NewAiConsent', examples: [{ signer: 'Ann Doe' }] },
        ),
        response: { 201: AiConsent, ...problems('conflict') },
      }),
    )
    .delete(
      '/:id',
      async ({ books, params, caller, taxpayer }) => {
        const change = { id: parseUuid(params.id), by: caller.email, at: deps.clock.now() };
        requireFound(await books.change((sql) => revokeConsent(sql, taxpayer.id, change)));
      },
      onBooks('revokeAiConsent', person('ai_consent_revoked'), {
        summary: 'Revoke a consent to the AI service',
        description: 'Takes effect at once, even for an answer in progress. The record stays.',
        response: { 204: t.Void() },
      }),
    );

function consentView(row: ConsentRow, { service, today }: { readonly service: string | null; readonly today: string }) {
  const { preparerId, preparer, recordedAt, revokedAt, ...rest } = row;
  return {
    ...rest,
    preparer: { id: preparerId, email: preparer },
    recordedAt: recordedAt.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
    isInEffect: revokedAt === null && row.service === service && row.expiresOn >= today,
  };
}
