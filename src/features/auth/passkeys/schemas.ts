import { type Static, t } from 'elysia';
import { closed, id, instant, nullable, whole } from '../../../http/schemas.ts';
import { registrationExample, signInExample } from './examples.ts';

const base64 = (description: string) =>
  t.String({ pattern: '^[\\w-]*$', maxLength: 20_000, description: `${description} In base64url.` });

/** Browsers add members as the standard grows. */
const open = { additionalProperties: true } as const;
const credentialHead = {
  id: base64('Of the credential.'),
  rawId: base64('The same.'),
  type: t.Literal('public-key'),
  clientExtensionResults: t.Object({}, open),
  authenticatorAttachment: t.Optional(nullable(t.String({ maxLength: 100 }))),
};

/** As `toJSON()` of a browser's PublicKeyCredential writes it. */
export const PasskeyRegistration = t.Object(
  {
    ...credentialHead,
    response: t.Object(
      { clientDataJSON: base64('What was signed for.'), attestationObject: base64('The new key.') },
      open,
    ),
  },
  { ...open, title: 'PasskeyRegistration', description: 'What `navigator.credentials.create()` gave, as JSON.' },
);

export const PasskeyAssertion = t.Object(
  {
    ...credentialHead,
    response: t.Object(
      {
        clientDataJSON: base64('What was signed for.'),
        authenticatorData: base64('What the authenticator says of itself.'),
        signature: base64('By the key.'),
        userHandle: t.Optional(nullable(base64('Whose key it is.'))),
      },
      open,
    ),
  },
  { ...open, title: 'PasskeyAssertion', description: 'What `navigator.credentials.get()` gave, as JSON.' },
);
export type PasskeyAssertion = Static<typeof PasskeyAssertion>;
export type PasskeyRegistration = Static<typeof PasskeyRegistration>;

export const passkeyName = t.String({ minLength: 1, maxLength: 100, pattern: '\\S', description: 'Yours to choose.' });

export const passkeyMembers = {
  id,
  name: t.String(),
  synced: t.Boolean({ description: 'Kept by more than one device.' }),
  createdAt: instant,
  lastUsedAt: nullable(instant),
};
export const Passkey = closed(passkeyMembers, { title: 'Passkey' });

export const NewPasskey = closed(
  {
    ...passkeyMembers,
    recoveryCodes: t.Array(t.String(), {
      description:
        'Where it is the first second factor of the account: each code signs in once in its place, after the password. Shown this once. Empty otherwise.',
    }),
  },
  { title: 'NewPasskey' },
);

export const registrationBody = closed(
  { name: passkeyName, passkey: PasskeyRegistration },
  { examples: [{ name: 'Laptop', passkey: registrationExample }] },
);
export const signInBody = closed({ passkey: PasskeyAssertion }, { examples: [{ passkey: signInExample }] });

const challenge = t.String({ description: 'Works once, within five minutes. In base64url.' });
const rpId = t.String({ description: 'The host of the public address.' });

export const SignInOptions = closed(
  { challenge, rpId, timeout: whole({ description: 'Milliseconds.' }), userVerification: t.Literal('required') },
  { title: 'PasskeySignInOptions', description: 'For `navigator.credentials.get()`.' },
);

export const RegistrationOptions = closed(
  {
    challenge,
    rp: closed({ id: rpId, name: t.String() }),
    user: closed({ id: t.String({ description: 'In base64url.' }), name: t.String(), displayName: t.String() }),
    pubKeyCredParams: t.Array(closed({ alg: whole(), type: t.Literal('public-key') })),
    timeout: whole({ description: 'Milliseconds.' }),
    attestation: t.Literal('none'),
    excludeCredentials: t.Array(closed({ id: t.String(), type: t.Literal('public-key') })),
    authenticatorSelection: closed({
      residentKey: t.Literal('required'),
      requireResidentKey: t.Literal(true),
      userVerification: t.Literal('required'),
    }),
  },
  { title: 'PasskeyRegistrationOptions', description: 'For `navigator.credentials.create()`.' },
);
