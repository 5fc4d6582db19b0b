/** The declaration of the field for the second factor. */
export function codeField(hasApp: boolean) {
  return {
    label: 'Code',
    autoComplete: 'one-time-code',
    isRequired: true,
    hint: hasApp ? 'From your authenticator app, or a recovery code.' : 'A recovery code. Or use your passkey below.',
  } as const;
}
