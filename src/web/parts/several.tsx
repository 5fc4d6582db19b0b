import { useState } from 'preact/hooks';
import { Choice, Field } from './field.tsx';
import { Icon } from './icon.tsx';

interface SeveralProps {
  readonly label: string;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}

/** Selects any number of options from a list. Each selected option is listed below with a remove button. */
export function SeveralChoice({
  label,
  values,
  options,
  onChange,
}: SeveralProps & { readonly options: readonly { readonly value: string; readonly label: string }[] }) {
  const left = options.filter(({ value }) => !values.includes(value));
  return (
    <div>
      <Choice
        label={label}
        value=""
        options={[{ value: '', label: values.length === 0 ? 'All' : 'Add another' }, ...left]}
        onChange={(value) => onChange([...values, value])}
      />
      <Chosen
        label={label}
        values={values}
        nameOf={(value) => options.find((option) => option.value === value)?.label ?? value}
        onChange={onChange}
      />
    </div>
  );
}

/**
 * Accepts any number of typed names. A known name is added at once, and any other name with Enter or when the field
 * loses the focus.
 */
export function SeveralTyped({
  label,
  values,
  suggestions,
  onChange,
}: SeveralProps & { readonly suggestions: readonly string[] }) {
  const [typed, setTyped] = useState('');
  const add = (text: string) => {
    setTyped('');
    const value = text.trim();
    if (value !== '' && !values.includes(value)) onChange([...values, value]);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add(typed);
      }}
      onFocusOut={() => add(typed)}
    >
      <Field
        label={label}
        value={typed}
        placeholder={values.length === 0 ? 'All' : 'Add another'}
        suggestions={suggestions}
        onInput={(text) => (isOnlyOne(suggestions, text) ? add(text) : setTyped(text))}
      />
      <Chosen label={label} values={values} nameOf={(value) => value} onChange={onChange} />
    </form>
  );
}

/** Returns whether the text is a known name and not the beginning of a longer one. */
function isOnlyOne(names: readonly string[], text: string): boolean {
  return names.includes(text) && !names.some((name) => name !== text && name.startsWith(text));
}

function Chosen({ label, values, nameOf, onChange }: SeveralProps & { readonly nameOf: (value: string) => string }) {
  if (values.length === 0) return null;
  return (
    <ul class="chosen" aria-label={`${label}, chosen`}>
      {values.map((value) => (
        <li key={value}>
          <button
            type="button"
            class="chip"
            aria-label={`Not ${nameOf(value)}`}
            onClick={() => onChange(values.filter((each) => each !== value))}
          >
            {nameOf(value)} <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}
