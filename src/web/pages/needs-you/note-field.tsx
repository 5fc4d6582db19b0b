import { Field, type FieldProps } from '../../parts/field.tsx';

type NoteFieldProps = Pick<FieldProps, 'value' | 'onInput'> & { readonly isReason: boolean };

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
