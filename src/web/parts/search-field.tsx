import { useEffect, useState } from 'preact/hooks';
import { Field, type FieldProps } from './field.tsx';

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
