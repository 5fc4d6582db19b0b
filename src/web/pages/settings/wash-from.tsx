import { useState } from 'preact/hooks';
import type { BooksSettings } from '../../api/settings.ts';
import { day } from '../../format/dates.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { DatedChoices } from './dated-choices.tsx';
import { washScopeNames } from './election-facts.ts';
import { toOptions } from './names.ts';
import { SettingsChange } from './settings-change.tsx';

type WashFromDay = BooksSettings['washSalesFrom'][number];

/** Sets a different scope of the wash sale rule from a day on, for a law that changes it. */
export function WashFrom({ settings }: { readonly settings: BooksSettings }) {
  const now = settings.washSalesFrom;
  const [washDays, setGiven] = useState<readonly WashFromDay[] | null>(null);
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
      title="Change on a date"
      meaning="Applies to sales from that date on, for example if a new law covers crypto."
      none="The scope above applies to all dates."
      choices={now.map((each) => ({
        from: day(each.date),
        text: washScopeNames[each.washSales],
        onRemove: () => setGiven(now.filter((other) => other !== each)),
      }))}
      canAdd={date !== ''}
      onAdd={add}
      change={
        washDays !== null && (
          <SettingsChange
            patch={{ washSalesFrom: washDays.length === 0 ? null : [...washDays] }}
            said="Wash sale scope by date saved."
            onClose={close}
          />
        )
      }
    >
      <Field label="From" type="date" value={date} onInput={setDate} />
      <Choice label="Applies to" value={washSales} options={toOptions(washScopeNames)} onChange={setWashSales} />
    </DatedChoices>
  );
}

/** The date from which crypto positions can be constructive sales. Not set until such a law exists. */
export function ConstructiveCoinsFrom({ settings }: { readonly settings: BooksSettings }) {
  const now = settings.constructiveSalesOfCoinsFrom ?? '';
  const [date, setDate] = useState<string | null>(null);
  return (
    <div class="election">
      <div>
        <h3>Constructive sales of crypto</h3>
        <p class="fine">
          A bill that is not yet law would treat a short position against crypto you hold as a sale. If you enter a
          date, we ask about such positions from then on.
        </p>
      </div>
      <Field
        label="Effective date of the law"
        type="date"
        value={date ?? now}
        onInput={(text) => setDate(text === now ? null : text)}
        hint="Leave blank to skip these questions."
      />
      {date !== null && (
        <SettingsChange
          patch={{ constructiveSalesOfCoinsFrom: date || null }}
          said="Date saved."
          onClose={() => setDate(null)}
        />
      )}
    </div>
  );
}
