import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAccounts } from '../api/status.ts';
import { Choice, Field } from './field.tsx';

interface AccountFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (account: string) => void;
  readonly hint?: ComponentChildren;
  readonly problem?: string | undefined;
}

/** A choice of the existing accounts. A new one has to be asked for, so that a typing mistake does not create it. */
export function AccountField({ label, value, onInput, hint, problem }: AccountFieldProps) {
  const accounts = useAccounts()
    .data?.data.map(({ account }) => account)
    .sort((a, b) => a.localeCompare(b));
  const [isNew, setNew] = useState(false);
  const isNamed = isNew || (accounts !== undefined && value !== '' && !accounts.includes(value));
  const name = (
    <Field
      label={accounts?.length === 0 ? label : `Name of the new account`}
      value={value}
      onInput={onInput}
      hint={value === '' ? hint : `This creates the account “${value}”.`}
      problem={problem}
    />
  );
  if (accounts?.length === 0) return name;
  const names = accounts ?? (value === '' ? [] : [value]);
  return (
    <>
      <Choice
        label={label}
        value={isNamed ? newAccount : value}
        options={[
          { value: '', label: 'Choose an account' },
          ...names.map((each) => ({ value: each, label: each })),
          { value: newAccount, label: 'Create a new account…' },
        ]}
        onChange={(chosen) => {
          setNew(chosen === newAccount);
          onInput(chosen === newAccount ? '' : chosen);
        }}
        hint={hint}
        problem={isNamed ? undefined : problem}
      />
      {isNamed && name}
    </>
  );
}

/** No account has this name, because names have no line breaks. */
const newAccount = '\n';
