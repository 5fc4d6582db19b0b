import { Field, type FieldProps } from '../field.tsx';

type CodeFieldProps = Pick<FieldProps, 'value' | 'onInput'> & { readonly hasApp?: boolean };

export function CodeField({ value, onInput, hasApp = true }: CodeFieldProps) {
  return (
    <Field
      label="Code"
      autoComplete="one-time-code"
      isRequired
      value={value}
      onInput={onInput}
      hint={hasApp ? 'From your authenticator app, or a recovery code.' : 'A recovery code. Or use your passkey below.'}
    />
  );
}
