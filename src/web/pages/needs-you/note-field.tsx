import { Field } from '../../parts/field.tsx';

interface NoteFieldProps {
  readonly isReason: boolean;
  readonly value: string;
  readonly onInput: (text: string) => void;
}

export function NoteField({ isReason, value, onInput }: NoteFieldProps) {
  return (
    <Field
      label={isReason ? 'Reason' : 'Note (optional)'}
      isRequired={isReason}
      value={value}
      onInput={onInput}
      hint="Saved for you or your preparer."
    />
  );
}
