import { t } from 'elysia';
import { closed, id, instant, nullable, oneOf, whole } from '../../http/schemas.ts';
import { passwordLengthMax, passwordLengthMin } from './passwords/password.ts';
import { plans } from './plan.ts';

/** The token of a mailed link. */
export const linkToken = t.String({ maxLength: 100, description: 'The part of the link after #.' });

/** A body that is the token of a mailed link alone. */
export function linkBody(example: string) {
  return closed({ token: linkToken }, { examples: [{ token: example }] });
}

const nameCharacter = "[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]";
const domainCharacter = '[A-Za-z0-9-]';

/**
 * One @ with a name before it and a domain with a point after it (RFC 5322, atext). ASCII alone: letters of other scripts
 * look like these, and one address could pass for another. Only a mail could show whether the address exists.
 */
export const email = t.String({
  pattern: `^${nameCharacter}{1,64}@(?:${domainCharacter}+\\.)+${domainCharacter}{2,}$`,
  maxLength: 254,
  description: 'ASCII letters, digits and signs; an international domain in its xn-- form. Case does not matter.',
});

const address = new RegExp(email.pattern ?? '', 'u');

/** Whether a text from elsewhere, such as a provider, is an address as the API takes it. */
export function isAddress(text: string): boolean {
  return text.length <= 254 && address.test(text);
}

export const newPassword = t.String({ minLength: passwordLengthMin, maxLength: passwordLengthMax });

/** A password to compare. One that no account can have is wrong, not invalid. */
export const givenPassword = t.String({ maxLength: 1000 });

const personName = t.String({ maxLength: 200 });
const timeZoneName = t.String({ maxLength: 100, description: 'An IANA time zone, as `America/New_York`.' });
export const newTimeZone = t.String({
  maxLength: 100,
  description:
    'The IANA time zone in which an instant becomes a taxable date, as `America/New_York`. UTC if it is left out.',
});
const tinText = t.String({
  pattern: '^(\\d{3}-?\\d{2}-?\\d{4}|\\d{2}-\\d{7})$',
  description: 'Social security number, ITIN or EIN, as forms print it.',
});

export const timeZoneStated = t.Boolean({
  description:
    'Whether anybody stated the time zone. If not, it is UTC by default, and rows near New Year are asked about. State UTC to confirm it.',
});

export const Account = closed(
  {
    id,
    email: t.String(),
    emailVerified: t.Boolean({ description: 'A link that was mailed there was used, or a provider vouches for it.' }),
    name: t.String(),
    taxpayerName: t.String({ description: 'As printed on forms.' }),
    tin: t.Optional(t.String({ description: 'As printed on forms.' })),
    timeZone: t.String({ description: 'The IANA time zone in which an instant becomes a taxable date.' }),
    timeZoneStated,
    plan: oneOf(plans),
    demo: t.Boolean({ description: 'The demo books, which nobody changes.' }),
    usage: closed({
      transactions: whole(),
      transactionLimit: nullable(whole()),
      aiMessagesToday: whole(),
      aiMessagesPerDay: nullable(whole()),
      clients: whole(),
      clientLimit: whole(),
    }),
  },
  { title: 'Account' },
);

/** Of the user's own books or a client's. */
export const booksChange = {
  taxpayerName: t.Optional(nullable(personName)),
  tin: t.Optional(nullable(tinText)),
  timeZone: t.Optional(nullable(timeZoneName)),
};

export const AccountChange = closed(
  {
    name: t.Optional(nullable(personName)),
    ...booksChange,
  },
  {
    title: 'AccountChange',
    description: 'A JSON merge patch: a member that is left out stays, null removes a value.',
    examples: [{ name: 'Ann Fields', taxpayerName: 'Ann Fields', timeZone: 'America/New_York' }],
  },
);

export const Session = closed(
  {
    id,
    device: t.String({ description: 'The User-Agent of the browser.' }),
    current: t.Boolean({ description: 'The session of this request.' }),
    createdAt: instant,
    lastUsedAt: instant,
    expiresAt: instant,
  },
  { title: 'Session' },
);
