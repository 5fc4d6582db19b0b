import { useState } from 'preact/hooks';
import type { BooksSettings } from '../../api/settings.ts';
import { day } from '../../format/dates.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { DatedChoices } from './dated-choices.tsx';
import { washScopeNames } from './election-facts.ts';
import { optionsOf } from './names.ts';
import { SettingsChange } from './settings-change.tsx';

type WashFromDay = BooksSettings['washSalesFrom'][number];

/** Other reaches of the wash sale rule from a day on, as a law that changes it would have. */
export function WashFrom({ settings }: { readonly settings: BooksSettings }) {
  const now = settings.washSalesFrom;
  const [given, setGiven] = useState<readonly WashFromDay[] | null>(null);
  const [date, setDate] = useState('');
  const [washSales, setWashSales] = useState<WashFromDay['washSales']>('all_assets');
  const add = () => {
    const others = now.filter((each) => each.date !== date);
    setGiven([...others, { date, washSales }].sort((a, b) => a.date.localeCompare(b.date)));
  };
  const close = () => {
    setGiven(null);
    setDate('');
  };
  return (
    <DatedChoices
      title="Another reach from a day on"
      meaning="For sales from that day on, as a law that reaches coins would have it."
      none="The reach above counts on all days."
      choices={now.map((each) => ({
        from: day(each.date),
        text: washScopeNames[each.washSales],
        onRemove: () => setGiven(now.filter((other) => other !== each)),
      }))}
      canAdd={date !== ''}
      onAdd={add}
      change={
        given !== null && (
          <SettingsChange
            patch={{ washSalesFrom: given.length === 0 ? null : [...given] }}
            said="The reaches by day are saved."
            onClose={close}
          />
        )
      }
    >
      <Field label="From the day" type="date" value={date} onInput={setDate} />
      <Choice label="Reach then" value={washSales} options={optionsOf(washScopeNames)} onChange={setWashSales} />
    </DatedChoices>
  );
}

/** From when on positions in coins may be constructive sales: of no day until a law says so. */
export function ConstructiveCoinsFrom({ settings }: { readonly settings: BooksSettings }) {
  const now = settings.constructiveSalesOfCoinsFrom ?? '';
  const [date, setDate] = useState<string | null>(null);
  return (
    <div class="election">
      <div>
        <h3>Constructive sales of coins</h3>
        <p class="fine">
          A short position against coins that you hold sells them by a bill that is no law yet. With a day, such
          positions are asked about from then on.
        </p>
      </div>
      <Field
        label="From the day of the law"
        type="date"
        value={date ?? now}
        onInput={(text) => setDate(text === now ? null : text)}
        hint="Left empty: not asked about."
      />
      {date !== null && (
        <SettingsChange
          patch={{ constructiveSalesOfCoinsFrom: date || null }}
          said="The day is saved."
          onClose={() => setDate(null)}
        />
      )}
    </div>
  );
}
