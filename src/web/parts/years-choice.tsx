import { namesRows, useListedYear, useTaxYear } from '../api/tax-year.ts';
import { Choice, toOptions } from './field.tsx';

/** Limits a list to the tax year of the frame, or shows all years. `all` is the value of `years` in the URL. */
export function YearsChoice({ onChange }: { readonly onChange: (years: '' | 'all') => void }) {
  const year = useTaxYear();
  const listed = useListedYear();
  if (year === null || namesRows()) return null;
  return (
    <Choice
      label="Years"
      value={listed === null ? 'all' : ''}
      options={toOptions({ '': `${year} only`, all: 'All years' })}
      onChange={onChange}
    />
  );
}
