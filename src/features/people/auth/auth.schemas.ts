import { t } from 'elysia';
import { closed, id, instant, nullable, oneOf, whole } from '../../../http/schemas.ts';
import { YearsPreview } from '../../../http/years-preview.ts';
import { passwordLengthMax, passwordLengthMin } from './password.ts';
import { clientRoles } from './permissions.ts';
import { plans } from './plan.ts';

/** The token of an emailed link. */
export const linkToken = t.String({ maxLength: 100, description: 'The part of the link after the #.' });

/** Returns a body schema that contains only the token of an emailed link. */
export function linkBody(example: string) {
  return closed({ token: linkToken }, { examples: [{ token: example }] });
}

const nameCharacter = "[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]";
const domainCharacter = '[A-Za-z0-9-]';

/**
 * An email address: a name, one @, and a domain that contains a dot (RFC 5322, atext). Only ASCII is accepted, because
 * letters of other scripts look similar and one address could imitate another. Only a message sent to the address can
 * prove that it exists.
 */
export const email = t.String({
  pattern: `^${nameCharacter}{1,64}@(?:${domainCharacter}+\\.)+${domainCharacter}{2,}$`,
  maxLength: 254,
  description:
    'ASCII letters, digits and symbols, such as name@example.com. Write an international domain in its xn-- form. Case does not matter.',
  'x-message': 'Enter a valid email address, like name@example.com',
});

const address = new RegExp(email.pattern ?? '', 'u');

/** Returns whether text from another source, such as a sign-in provider, is an email address that the API accepts. */
export function isAddress(text: string): boolean {
  return text.length <= 254 && address.test(text);
}

export const newPassword = t.String({ minLength: passwordLengthMin, maxLength: passwordLengthMax });

/**
 * A password to verify. If it is longer than any account's password can be, it is a wrong password, not invalid input.
 */
export const passwordInput = t.String({ maxLength: 1000 });

const personName = t.String({ maxLength: 200 });
const timeZoneName = t.String({ maxLength: 100, description: 'An IANA time zone, such as `America/New_York`.' });
export const newTimeZone = t.String({
  maxLength: 100,
  description:
    'The IANA time zone that determines the tax date of each transaction, such as `America/New_York`. Defaults to UTC.',
});
const tinText = t.String({
  pattern: '^(\\d{3}-?\\d{2}-?\\d{4}|\\d{2}-\\d{7})$',
  'x-message': 'Enter a number like 123-45-6789, or an EIN like 12-3456789',
  description: 'Social Security number, ITIN or EIN, as printed on forms.',
});

export const timeZoneStated = t.Boolean({
  description:
    'Whether the user chose the time zone. If not, it defaults to UTC, and transactions near New Year’s appear on the review list. To confirm UTC, set `timeZone` to `UTC`.',
});

export const clientRole = oneOf(
  clientRoles,
  'The caller’s role in the books. A manager created the books or received them in a handover. The owner of the books gave all other roles.',
);

/** The texts that forms identify the taxpayer with. */
export const printedNames = {
  taxpayerName: t.String({ description: 'The name printed on forms.' }),
  tin: t.Optional(t.String({ description: 'The tax number printed on forms.' })),
};

export const Account = closed(
  {
    id,
    email: t.String(),
    emailVerified: t.Boolean({
      description: 'Whether the user opened a link sent to this address, or a sign-in provider verified it.',
    }),
    name: t.String(),
    ...printedNames,
    timeZone: t.String({ description: 'The IANA time zone that determines the tax date of each transaction.' }),
    timeZoneStated,
    plan: oneOf(plans),
    demo: t.Boolean({ description: 'Whether this is the read-only demo account.' }),
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

/** The fields of a request that changes the settings of a set of books: the user's own or a client's. */
export const booksChange = {
  taxpayerName: t.Optional(nullable(personName)),
  tin: t.Optional(nullable(tinText)),
  timeZone: t.Optional(nullable(timeZoneName)),
};

export const AccountUpdateResult = closed(
  { ...Account.properties, preview: t.Optional(YearsPreview) },
  { title: 'AccountUpdateResult' },
);

export const AccountUpdate = closed(
  {
    name: t.Optional(nullable(personName)),
    ...booksChange,
  },
  {
    title: 'AccountUpdate',
    description: 'A JSON merge patch. Omitted fields stay unchanged, and null removes a value.',
    examples: [{ name: 'Ann Fields', taxpayerName: 'Ann Fields', timeZone: 'America/New_York' }],
  },
);

export const Session = closed(
  {
    id,
    device: t.String({ description: 'The browser’s User-Agent.' }),
    current: t.Boolean({ description: 'Whether this is the session of the current request.' }),
    createdAt: instant,
    lastUsedAt: instant,
    expiresAt: instant,
  },
  { title: 'Session' },
);
