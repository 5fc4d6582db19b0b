import { useState } from 'preact/hooks';
import { useFormats } from '../../api/formats.ts';
import { Field } from '../../parts/field.tsx';
import { exportGuides } from './guides.ts';

/** How to export a file from each source. */
export function GuideList() {
  const [sought, setSought] = useState('');
  const formats = useFormats().data?.data ?? [];
  const isFound = ({ name }: { readonly name: string }): boolean =>
    name.toLowerCase().includes(sought.trim().toLowerCase());
  const guides = exportGuides.filter(isFound);
  const others = sought.trim() === '' ? [] : formats.filter(isFound);
  return (
    <section class="card">
      <h2>How to download your history</h2>
      <p class="fine">
        Download your full history, starting with your first purchase; we need it to calculate cost basis. Save
        workbooks as CSV. {formats.length > 0 && `${formats.length} file types supported.`}
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
            Supported files:{' '}
            {others
              .slice(0, 12)
              .map(({ name }) => name)
              .join(', ')}
            {others.length > 12 && ` and ${others.length - 12} more`}.
          </p>
        )}
        {sought.trim() !== '' && guides.length + others.length === 0 && (
          <p>
            We don't support files from there yet. Export your history as CSV and drop it anyway. We'll ask you once to
            match its columns.
          </p>
        )}
      </div>
    </section>
  );
}
