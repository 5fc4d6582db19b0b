import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';

export interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'search' | 'number';
  readonly autoComplete?: string;
  readonly isRequired?: boolean;
  readonly minLength?: number;
  readonly inputMode?: 'decimal' | 'numeric' | 'text';
  readonly placeholder?: string;
  /** Suggestions. The user can type other values too. */
  readonly suggestions?: readonly string[] | undefined;
  /** Shown below the field: its meaning, or the error. */
  readonly hint?: ComponentChildren;
  readonly problem?: string | undefined;
}

/** An input with its label, hint and error, which screen readers announce together. */
export function Field(props: FieldProps) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  const { label, value, onInput, hint, problem, suggestions, isRequired = false } = props;
  const isPassword = props.type === 'password';
  // Preact types each kind of input separately. These are the attributes they share.
  const typed = { type: isPassword && isShown ? 'text' : (props.type ?? 'text') } as { readonly type: 'text' };
  return (
    <div class={isPassword ? 'field with-reveal' : 'field'}>
      <label for={id}>{label}</label>
      <input
        id={id}
        {...typed}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
        autoComplete={props.autoComplete}
        required={isRequired}
        minLength={props.minLength}
        inputMode={props.inputMode}
        placeholder={props.placeholder}
        list={suggestions === undefined ? undefined : `${id}-list`}
        aria-invalid={problem !== undefined}
        aria-describedby={hint === undefined && problem === undefined ? undefined : `${id}-hint`}
      />
      {isPassword && (
        <button type="button" class="plain reveal" aria-controls={id} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide' : 'Show'} password
        </button>
      )}
      {suggestions !== undefined && (
        <datalist id={`${id}-list`}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      {(problem !== undefined || hint !== undefined) && (
        <p id={`${id}-hint`} class={problem === undefined ? 'fine' : 'fine loss'}>
          {problem ?? hint}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
  readonly hint?: ComponentChildren;
}

/** A choice among a few options. */
export function Choice<Value extends string>({ label, value, options, onChange, hint }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.currentTarget.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {hint !== undefined && (
        <p id={`${id}-hint`} class="fine">
          {hint}
        </p>
      )}
    </div>
  );
}
