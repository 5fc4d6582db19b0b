import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type TypedKind, typedKinds } from '../format/typed.ts';

export interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** `money`, `quantity` and `date` accept what people type. Their value is the exact text that the API accepts. */
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'number' | TypedKind;
  readonly autoComplete?: string;
  readonly isRequired?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** The height of a field of several lines. */
  readonly rows?: number;
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
  const { label, hint, suggestions, isRequired = false } = props;
  const [isShown, setShown] = useState(false);
  const isPassword = props.type === 'password';
  const { problem: typedProblem, ...input } = useTypedInput(isPassword && isShown ? { ...props, type: 'text' } : props);
  const problem = props.problem ?? typedProblem;
  const Input = props.rows === undefined ? 'input' : ('textarea' as 'input');
  return (
    <div class={isPassword ? 'field with-reveal' : 'field'}>
      <label for={id}>{label}</label>
      <Input
        id={id}
        {...input}
        {...(props.rows === undefined ? {} : { rows: props.rows })}
        autoComplete={props.autoComplete}
        required={isRequired}
        minLength={props.minLength}
        maxLength={props.maxLength}
        list={suggestions === undefined ? undefined : `${id}-list`}
        aria-invalid={problem !== undefined}
        aria-describedby={hint === undefined && problem === undefined ? undefined : `${id}-hint`}
      />
      {isPassword && (
        <button type="button" class="plain reveal" aria-controls={id} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide' : 'Show'} {/password/i.test(label) ? 'password' : label.toLowerCase()}
        </button>
      )}
      {suggestions !== undefined && (
        <datalist id={`${id}-list`}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      <Hint {...{ id, hint, problem }} />
    </div>
  );
}

interface HintProps extends Pick<FieldProps, 'hint' | 'problem'> {
  readonly id: string;
}

/** The text below a field: its error, or else its meaning. */
export function Hint({ id, hint, problem }: HintProps) {
  if (problem === undefined && hint === undefined) return null;
  return (
    <p id={`${id}-hint`} class={problem === undefined ? 'fine' : 'fine loss'}>
      {problem ?? hint}
    </p>
  );
}

/** The attributes of a parsed input. The caller has the last parsed text. The form is not submitted with another. */
function useTypedInput({ type = 'text', value, onInput, inputMode, placeholder }: FieldProps) {
  const kind = Object.hasOwn(typedKinds, type) ? typedKinds[type as TypedKind] : undefined;
  const ref = useRef<HTMLInputElement>(null);
  const known = useRef(value);
  const [text, setText] = useState(kind?.format(value) ?? value);
  const [isLeft, setLeft] = useState(false);
  // A value that does not come from this input replaces its text.
  const shown = kind === undefined || known.current === value ? text : kind.format(value);
  const fault = kind !== undefined && shown.trim() !== '' && kind.parse(shown) === undefined ? kind.problem : '';
  useEffect(() => ref.current?.setCustomValidity(fault), [fault]);
  if (kind === undefined) {
    // Preact types each kind of input separately. These are the attributes they share.
    const attributes = { type, value, inputMode, placeholder } as { readonly type: 'text' };
    return { ...attributes, onInput: (event: InputEvent) => onInput(textOf(event)), problem: undefined };
  }
  if (known.current !== value) {
    known.current = value;
    setText(shown);
  }
  const read = (event: Event, isDone: boolean) => {
    const typed = textOf(event);
    const parsed = typed.trim() === '' ? '' : kind.parse(typed);
    setText(typed);
    setLeft(isDone);
    if (parsed === undefined || parsed === value || !(isDone || kind.isComplete(typed))) return;
    known.current = parsed;
    onInput(parsed);
  };
  return {
    ref,
    type: 'text' as const,
    value: shown,
    inputMode: kind.inputMode,
    placeholder: placeholder ?? kind.placeholder,
    onInput: (event: InputEvent) => read(event, false),
    onChange: (event: Event) => read(event, true),
    problem: isLeft && fault !== '' ? fault : undefined,
  };
}

const textOf = ({ currentTarget }: Event): string => (currentTarget as HTMLInputElement).value;

export interface ChoiceOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly group?: string;
}

/** Returns the options of a choice from the label of each value. */
export function toOptions<Value extends string>(names: Readonly<Record<Value, string>>) {
  return (Object.entries(names) as [Value, string][]).map(([value, label]) => ({ value, label }));
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  /** Options with a group follow those without one. */
  readonly options: readonly ChoiceOption<Value>[];
  readonly onChange: (value: Value) => void;
  readonly hint?: ComponentChildren;
  readonly problem?: string | undefined;
}

/** A choice among a few options. */
export function Choice<Value extends string>({ label, value, options, onChange, hint, problem }: ChoiceProps<Value>) {
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
        aria-invalid={problem !== undefined}
        aria-describedby={hint === undefined && problem === undefined ? undefined : `${id}-hint`}
      >
        {[...Map.groupBy(options, ({ group = '' }) => group)].map(([group, own]) => {
          const shown = own.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ));
          return group === '' ? (
            shown
          ) : (
            <optgroup key={group} label={group}>
              {shown}
            </optgroup>
          );
        })}
      </select>
      <Hint {...{ id, hint, problem }} />
    </div>
  );
}

interface SearchFieldProps extends Pick<FieldProps, 'label' | 'value' | 'placeholder'> {
  readonly onSearch: (text: string) => void;
}

/** Searches after a pause in typing. */
export function SearchField({ value, onSearch, ...field }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onSearch(typed.trim()), 350);
    return () => clearTimeout(timer);
  }, [typed]);
  return <Field {...field} type="search" value={typed} onInput={setTyped} />;
}
