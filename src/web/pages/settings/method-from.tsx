import { useState } from 'preact/hooks';
import type { LotMethod } from '../../../engine/model.ts';
import type { BooksSettings } from '../../api/settings.ts';
import { methodNames } from '../../format/methods.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { DatedChoices } from './dated-choices.tsx';
import { toOptions } from './names.ts';
import { SettingsChange } from './settings-change.tsx';

type MethodYear = BooksSettings['methodFrom'][number];

/** Sets a different method from a given year on. */
export function MethodFrom({ settings }: { readonly settings: BooksSettings }) {
  const now = settings.methodFrom;
  const [methodYears, setGiven] = useState<readonly MethodYear[] | null>(null);
  const [year, setYear] = useState('');
  const [method, setMethod] = useState<LotMethod>('HIFO');
  const add = () => {
    const others = now.filter((each) => each.year !== Number(year));
    setGiven([...others, { year: Number(year), method }].sort((a, b) => a.year - b.year));
  };
  const close = () => {
    setGiven(null);
    setYear('');
  };
  return (
    <DatedChoices
      title="Change the method from a year on"
      meaning="Applies to sales from January 1 of that year. Earlier sales keep their method."
      none="The method above applies to all years."
      choices={now.map((each) => ({
        from: String(each.year),
        text: methodNames[each.method],
        onRemove: () => setGiven(now.filter((other) => other !== each)),
      }))}
      canAdd={/^(19|20)\d\d$/.test(year)}
      onAdd={add}
      change={
        methodYears !== null && (
          <SettingsChange
            patch={{ methodFrom: methodYears.length === 0 ? null : [...methodYears] }}
            said="Methods by year saved."
            onClose={close}
          />
        )
      }
    >
      <Field label="From" inputMode="numeric" placeholder="2025" value={year} onInput={setYear} />
      <Choice label="Method" value={method} options={toOptions(methodNames)} onChange={setMethod} />
    </DatedChoices>
  );
}
