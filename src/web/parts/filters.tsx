import { useLocation } from 'preact-iso';
import { type LinkQuery, queryNow, to } from '../api/page-url.ts';
import { Button, Icon } from './button.tsx';
import { Choice, type ChoiceOption, Field, type FieldProps } from './field.tsx';

/** Returns a function that changes the filters in the URL, and closes what is open in the list. */
export function useFilters(): (change: LinkQuery) => void {
  const { path, route } = useLocation();
  return (change) => route(to(path, { ...queryNow(), line: null, open: null, item: null, ...change }), true);
}

interface FilterChoiceProps {
  /** The name of the filter in the URL. */
  readonly name: string;
  readonly label: string;
  /** The first option is the default, which the URL leaves out. */
  readonly options: readonly ChoiceOption<string>[];
}

/** A choice that filters or sorts a list. */
export function FilterChoice({ name, label, options }: FilterChoiceProps) {
  const { query } = useLocation();
  const change = useFilters();
  const usual = options[0]?.value ?? '';
  const value = options.find((option) => option.value === query[name])?.value ?? usual;
  return (
    <Choice
      label={label}
      value={value}
      options={options}
      onChange={(chosen) => change({ [name]: chosen === usual ? null : chosen })}
    />
  );
}

/** A field that filters a list. */
export function FilterField({ name, ...field }: Omit<FieldProps, 'value' | 'onInput'> & { readonly name: string }) {
  const { query } = useLocation();
  const change = useFilters();
  return <Field {...field} value={query[name] ?? ''} onInput={(text) => change({ [name]: text })} />;
}

/** A filter that a link has set, with a button that removes it. Renders nothing without it. */
export function FilterChip({ name, label }: { readonly name: string; readonly label?: string }) {
  const value = useLocation().query[name] ?? '';
  const change = useFilters();
  if (value === '') return null;
  const text = (
    <>
      {label ?? value}
      <Icon name="close" />
      <span class="visually-hidden">, show all</span>
    </>
  );
  return <Button label={text} class="chip" onClick={() => change({ [name]: '' })} />;
}
