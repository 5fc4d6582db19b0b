/** Made with a software authenticator for the site http://localhost:3000. */
const credential = {
  id: 'DYVZ4ueRra6HTe0remY4zQ',
  rawId: 'DYVZ4ueRra6HTe0remY4zQ',
  type: 'public-key',
  clientExtensionResults: {},
} as const;

/** Signs the challenge “add a passkey, as in the docs”. */
export const registrationExample = {
  ...credential,
  response: {
    clientDataJSON:
      'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiWVdSa0lHRWdjR0Z6YzJ0bGVTd2dZWE1nYVc0Z2RHaGxJR1J2WTNNIiwib3JpZ2luIjoiaHR0cDovL2xvY2FsaG9zdDozMDAwIiwiY3Jvc3NPcmlnaW4iOmZhbHNlfQ',
    attestationObject:
      'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViUSZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NFAAAAAAAAAAAAAAAAAAAAAAAAAAAAEA2FWeLnka2uh03tK3pmOM2lAQIDJiABIVggDGH7Q9VzOmdXK9CW5TBYMyasp3ncfWy6u4MTeZ7A9foiWCBSG_LVx87pHdf277O-dmHvTCI0It81y1DFiAGlWlTWRg',
  },
} as const;

/** Signs the challenge “sign in, as in the document”. */
export const signInExample = {
  ...credential,
  response: {
    clientDataJSON:
      'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiYzJsbmJpQnBiaXdnWVhNZ2FXNGdkR2hsSUdSdlkzVnRaVzUwIiwib3JpZ2luIjoiaHR0cDovL2xvY2FsaG9zdDozMDAwIiwiY3Jvc3NPcmlnaW4iOmZhbHNlfQ',
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAA',
    signature: 'MEYCIQDOtZp3winVC7VVN6NWdmHlXiVZP3-r0jfqnSu9GMTktgIhAJHbLYt8Nug1JdDehxL9kuEJGoRuoe6SEI4YWnhASZS8',
  },
} as const;
