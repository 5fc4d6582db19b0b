import { useState } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { exportGuides } from './guides.ts';
import { useFormats } from './import-facts.tsx';

/** Where each source has its export. */
export function GuideList() {
  const [sought, setSought] = useState('');
  const formats = useFormats().data?.data ?? [];
  const isFound = ({ name }: { readonly name: string }): boolean =>
    name.toLowerCase().includes(sought.trim().toLowerCase());
  const guides = exportGuides.filter(isFound);
  const others = sought.trim() === '' ? [] : formats.filter(isFound);
  return (
    <section class="card">
      <h2>Where to find the export</h2>
      <p class="fine">
        Take the whole history, from the first purchase on: what was bought before decides what a sale gained. Save
        workbooks as CSV. {formats.length > 0 && `${formats.length} kinds of files are known.`}
      </p>
      <div class="fields">
        <Field label="Your broker, exchange or wallet" type="search" value={sought} onInput={setSought} />
      </div>
      <div class="guides">
        {guides.map(({ name, steps }) => (
          <details key={name} open={guides.length === 1}>
            <summary>{name}</summary>
            <p>{steps}</p>
          </details>
        ))}
      </div>
      <div role="status">
        {others.length > 0 && (
          <p>
            Files that are known:{' '}
            {others
              .slice(0, 12)
              .map(({ name }) => name)
              .join(', ')}
            {others.length > 12 && ` and ${others.length - 12} more`}.
          </p>
        )}
        {sought.trim() !== '' && guides.length + others.length === 0 && (
          <p>
            No file of that name is known yet. Export its history as CSV and drop it anyway: you are asked what its
            columns hold, once.
          </p>
        )}
      </div>
    </section>
  );
}
