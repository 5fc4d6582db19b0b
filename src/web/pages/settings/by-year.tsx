import { useState } from 'preact/hooks';
import type { FilingStatus } from '../../../forms/report.ts';
import { type BooksSettings, type SettingsPatch, useSettings } from '../../api/settings.ts';
import { useYears } from '../../api/tax-year.ts';
import { MoneyOrUnknown } from '../../parts/amount.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { StackedTable } from '../../parts/tables/stacked-table.tsx';
import { filingStatusNames, toOptions } from './names.ts';
import { SettingsChange } from './settings-change.tsx';

/** The filing status, taxable income and loss carryovers of each year. */
export function ByYear() {
  const years = useYears().data?.data.map(({ year }) => year) ?? [];
  return (
    <ResourceView reading={useSettings()}>
      {(settings) => (
        <>
          <StatusOfAll settings={settings} />
          <YearsStated settings={settings} years={years} />
        </>
      )}
    </ResourceView>
  );
}

function StatusOfAll({ settings }: { readonly settings: BooksSettings }) {
  const [chosen, setChosen] = useState<FilingStatus | null>(null);
  return (
    <section class="card">
      <h2>Filing status</h2>
      <Choice
        label="Default for all years"
        value={chosen ?? settings.filingStatus}
        options={toOptions(filingStatusNames)}
        onChange={(status) => setChosen(status === settings.filingStatus ? null : status)}
        hint="Decides how much loss you can deduct each year: $3,000, or $1,500 if married filing separately."
      />
      {chosen !== null && (
        <SettingsChange
          patch={{ filingStatus: chosen }}
          said={`Filing status: ${filingStatusNames[chosen]}.`}
          onClose={() => setChosen(null)}
        />
      )}
    </section>
  );
}

function YearsStated({ settings, years }: { readonly settings: BooksSettings; readonly years: readonly number[] }) {
  const { filingStatusByYear, taxableIncome, carryover } = statedByYear(settings);
  const stated = [filingStatusByYear, taxableIncome, carryover].flatMap((record) => Object.keys(record).map(Number));
  const all = [...new Set([...years, ...stated])].sort((a, b) => b - a);
  const [opened, setOpened] = useState<number | null>(null);
  const [other, setOther] = useState('');
  return (
    <section class="card">
      <h2>Year by year</h2>
      <p>
        Taxable income before capital gains decides how much loss carries over. A carryover that you enter counts only
        if your records don't go back to the year it comes from.
      </p>
      <StackedTable
        label="Year by year"
        columns={[
          'Year',
          'Filing status',
          { number: 'Taxable income' },
          { number: 'Short-term loss carryover' },
          { number: 'Long-term loss carryover' },
          { unseen: 'Change' },
        ]}
        rows={all.map((year) => {
          const status = filingStatusByYear[year];
          return {
            key: String(year),
            name: year,
            cells: [
              status === undefined ? <span class="muted">default</span> : filingStatusNames[status],
              <MoneyOrUnknown amount={taxableIncome[year] ?? null} />,
              <MoneyOrUnknown amount={carryover[year]?.short ?? null} />,
              <MoneyOrUnknown amount={carryover[year]?.long ?? null} />,
              <button type="button" aria-label={`Change ${year}`} onClick={() => setOpened(year)}>
                Change
              </button>,
            ],
          };
        })}
      />
      <form
        class="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (/^(19|20)\d\d$/.test(other)) setOpened(Number(other));
        }}
      >
        <Field label="Another year" inputMode="numeric" placeholder="2020" value={other} onInput={setOther} />
        <button type="submit">Add</button>
      </form>
      {opened !== null && <YearForm key={opened} year={opened} settings={settings} onClose={() => setOpened(null)} />}
    </section>
  );
}

interface YearFormProps {
  readonly year: number;
  readonly settings: BooksSettings;
  readonly onClose: () => void;
}

const amountShape = /^\d{1,15}(\.\d{1,2})?$/;
const incomeShape = /^-?\d{1,15}(\.\d{1,2})?$/;

function YearForm({ year, settings, onClose }: YearFormProps) {
  const { filingStatusByYear, taxableIncome, carryover } = statedByYear(settings);
  const before: YearFields = {
    status: filingStatusByYear[year] ?? '',
    income: taxableIncome[year] ?? '',
    short: carryover[year]?.short ?? '',
    long: carryover[year]?.long ?? '',
  };
  const [fields, setFields] = useState(before);
  const put = (change: Partial<YearFields>) => setFields({ ...fields, ...change });
  const isWrong = (text: string, shape: RegExp) => text !== '' && !shape.test(text);
  const wrong =
    isWrong(fields.income, incomeShape) || isWrong(fields.short, amountShape) || isWrong(fields.long, amountShape);
  const isSame = JSON.stringify(fields) === JSON.stringify(before);
  const problem = (text: string, shape: RegExp) => (isWrong(text, shape) ? 'Enter an amount like 1234.50.' : undefined);
  return (
    <section class="answer" aria-label={`Tax year ${year}`}>
      <h3>Tax year {year}</h3>
      <div class="fields">
        <Choice
          label="Filing status"
          value={fields.status}
          options={[{ value: '', label: 'Default' }, ...toOptions(filingStatusNames)]}
          onChange={(status) => put({ status })}
        />
        <Field
          label="Taxable income without capital gains"
          type="money"
          value={fields.income}
          onInput={(income) => put({ income })}
          problem={problem(fields.income, incomeShape)}
        />
        <Field
          label="Short-term loss carryover"
          type="money"
          value={fields.short}
          onInput={(short) => put({ short })}
          problem={problem(fields.short, amountShape)}
          hint={`Schedule D for ${year}, line 6.`}
        />
        <Field
          label="Long-term loss carryover"
          type="money"
          value={fields.long}
          onInput={(long) => put({ long })}
          problem={problem(fields.long, amountShape)}
          hint={`Schedule D for ${year}, line 14.`}
        />
      </div>
      {isSame || wrong ? (
        <p class="actions">
          <button type="button" onClick={onClose}>
            Close
          </button>
        </p>
      ) : (
        <SettingsChange patch={buildYearPatch(year, fields)} said={`Tax year ${year} saved.`} onClose={onClose} />
      )}
    </section>
  );
}

/** Settings for single years. The route types do not define the contents of these records. */
interface StatedByYear {
  readonly filingStatusByYear: Readonly<Record<string, FilingStatus>>;
  readonly taxableIncome: Readonly<Record<string, string>>;
  readonly carryover: Readonly<Record<string, { readonly short: string; readonly long: string }>>;
}

function statedByYear({ filingStatusByYear = {}, taxableIncome = {}, carryover = {} }: BooksSettings): StatedByYear {
  return { filingStatusByYear, taxableIncome, carryover };
}

interface YearFields {
  readonly status: '' | FilingStatus;
  readonly income: string;
  readonly short: string;
  readonly long: string;
}

function buildYearPatch(year: number, { status, income, short, long }: YearFields): SettingsPatch {
  const carried = short === '' && long === '' ? null : { short: short || '0', long: long || '0' };
  return {
    filingStatusByYear: { [year]: status === '' ? null : status },
    taxableIncome: { [year]: income === '' ? null : income },
    carryover: { [year]: carried },
  };
}
