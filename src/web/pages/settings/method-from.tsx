import { useState } from 'preact/hooks';
import type { LotMethod } from '../../../engine/model.ts';
import type { BooksSettings } from '../../api/settings.ts';
import { methodNames } from '../../format/methods.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { optionsOf } from './names.ts';
import { RemoveButton } from './remove-button.tsx';
import { SettingsChange } from './settings-change.tsx';

type MethodYear = BooksSettings['methodFrom'][number];

/** Other methods from a year on. */
export function MethodFrom({ settings }: { readonly settings: BooksSettings }) {
  const now = settings.methodFrom;
  const [given, setGiven] = useState<readonly MethodYear[] | null>(null);
  const [year, setYear] = useState('');
  const [method, setMethod] = useState<LotMethod>('HIFO');
  const isYear = /^(19|20)\d\d$/.test(year);
  return (
    <div class="election">
      <div>
        <h3>Another method from a year on</h3>
        <p class="fine">Sales from January 1 of that year follow it; those before keep the one they had.</p>
      </div>
      <div>
        {now.length === 0 && <p class="fine">The method above counts in all years.</p>}
        <ul class="plain-list">
          {now.map((each) => (
            <li key={each.year}>
              From {each.year}: {methodNames[each.method]}
              <RemoveButton
                of={`the method from ${each.year} on`}
                onRemove={() => setGiven(now.filter((other) => other !== each))}
              />
            </li>
          ))}
        </ul>
        <form
          class="inline-form"
          onSubmit={(event) => {
            event.preventDefault();
            if (!isYear) return;
            const others = now.filter((each) => each.year !== Number(year));
            setGiven([...others, { year: Number(year), method }].sort((a, b) => a.year - b.year));
          }}
        >
          <Field label="From" inputMode="numeric" placeholder="2025" value={year} onInput={setYear} />
          <Choice label="Method" value={method} options={optionsOf(methodNames)} onChange={setMethod} />
          <button type="submit" disabled={!isYear}>
            See what changes
          </button>
        </form>
      </div>
      {given !== null && (
        <SettingsChange
          patch={{ methodFrom: given.length === 0 ? null : [...given] }}
          said="The methods by year are saved."
          onClose={() => {
            setGiven(null);
            setYear('');
          }}
        />
      )}
    </div>
  );
}
