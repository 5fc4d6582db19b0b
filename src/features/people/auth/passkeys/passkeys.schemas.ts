import { type Static, t } from 'elysia';
import { closed, id, instant, notBlank, nullable, whole } from '../../../../http/schemas.ts';

/** Made with a software authenticator for the site http://localhost:3000. */
const credential = {
  id: 'DYVZ4ueRra6HTe0remY4zQ',
  rawId: 'DYVZ4ueRra6HTe0remY4zQ',
  type: 'public-key',
  clientExtensionResults: {},
} as const;

/** Signs the challenge “add a passkey, as in the docs”. */
const registrationExample = {
  ...credential,
  response: {
    clientDataJSON:
      'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiWVdSa0lHRWdjR0Z6YzJ0bGVTd2dZWE1nYVc0Z2RHaGxJR1J2WTNNIiwib3JpZ2luIjoiaHR0cDovL2xvY2FsaG9zdDozMDAwIiwiY3Jvc3NPcmlnaW4iOmZhbHNlfQ',
    attestationObject:
      'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViUSZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NFAAAAAAAAAAAAAAAAAAAAAAAAAAAAEA2FWeLnka2uh03tK3pmOM2lAQIDJiABIVggDGH7Q9VzOmdXK9CW5TBYMyasp3ncfWy6u4MTeZ7A9foiWCBSG_LVx87pHdf277O-dmHvTCI0It81y1DFiAGlWlTWRg',
  },
} as const;

/** Signs the challenge “sign in, as in the document”. */
const signInExample = {
  ...credential,
  response: {
    clientDataJSON:
      'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiYzJsbmJpQnBiaXdnWVhNZ2FXNGdkR2hsSUdSdlkzVnRaVzUwIiwib3JpZ2luIjoiaHR0cDovL2xvY2FsaG9zdDozMDAwIiwiY3Jvc3NPcmlnaW4iOmZhbHNlfQ',
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAA',
    signature: 'MEYCIQDOtZp3winVC7VVN6NWdmHlXiVZP3-r0jfqnSu9GMTktgIhAJHbLYt8Nug1JdDehxL9kuEJGoRuoe6SEI4YWnhASZS8',
  },
} as const;

const base64 = (description: string) =>
  t.String({
    pattern: '^[\\w-]*$',
    'x-message': 'Use base64url',
    maxLength: 20_000,
    description: `${description} In base64url.`,
  });

/** Allows additional properties, because browsers add them as the standard evolves. */
const open = { additionalProperties: true } as const;
const credentialHead = {
  id: base64('The credential ID.'),
  rawId: base64('The same as `id`.'),
  type: t.Literal('public-key'),
  clientExtensionResults: t.Object({}, open),
  authenticatorAttachment: t.Optional(nullable(t.String({ maxLength: 100 }))),
};

/** The JSON from `toJSON()` of a browser's PublicKeyCredential. */
export const PasskeyRegistration = t.Object(
  {
    ...credentialHead,
    response: t.Object(
      { clientDataJSON: base64('The signed client data.'), attestationObject: base64('The new public key.') },
      open,
    ),
  },
  { ...open, title: 'PasskeyRegistration', description: 'The result of `navigator.credentials.create()`, as JSON.' },
);

export const PasskeyAssertion = t.Object(
  {
    ...credentialHead,
    response: t.Object(
      {
        clientDataJSON: base64('The signed client data.'),
        authenticatorData: base64('The authenticator data.'),
        signature: base64('The signature.'),
        userHandle: t.Optional(nullable(base64('The owner of the key.'))),
      },
      open,
    ),
  },
  { ...open, title: 'PasskeyAssertion', description: 'The result of `navigator.credentials.get()`, as JSON.' },
);
export type PasskeyAssertion = Static<typeof PasskeyAssertion>;
export type PasskeyRegistration = Static<typeof PasskeyRegistration>;

export const passkeyName = t.String({
  minLength: 1,
  maxLength: 100,
  ...notBlank,
  description: 'A name of your choice.',
});

const passkeyMembers = {
  id,
  name: t.String(),
  synced: t.Boolean({ description: 'Whether it is synced across devices.' }),
  createdAt: instant,
  lastUsedAt: nullable(instant),
};
export const Passkey = closed(passkeyMembers, { title: 'Passkey' });

export const NewPasskey = closed(
  {
    ...passkeyMembers,
    recoveryCodes: t.Array(t.String(), {
      description:
        'Not empty only if this passkey is the account’s first second factor. Each code works once in place of a passkey, after the password. The codes are shown only once.',
    }),
  },
  { title: 'NewPasskey' },
);

export const registrationBody = closed(
  { name: passkeyName, passkey: PasskeyRegistration },
  { examples: [{ name: 'Laptop', passkey: registrationExample }] },
);
export const signInBody = closed({ passkey: PasskeyAssertion }, { examples: [{ passkey: signInExample }] });

const challenge = t.String({ description: 'The challenge, in base64url. It works once, within five minutes.' });
const rpId = t.String({ description: 'The host name of the server’s public URL.' });

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
