import { Field } from '../field.tsx';

interface CodeFieldProps {
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly hasApp?: boolean;
}

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
