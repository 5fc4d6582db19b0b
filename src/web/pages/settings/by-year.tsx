import { useState } from 'preact/hooks';
import type { FilingStatus } from '../../../forms/report.ts';
import { type BooksSettings, useSettings } from '../../api/settings.ts';
import { useYears } from '../../api/tax-year.ts';
import { Button } from '../../parts/button.tsx';
import { toOptions } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Card, ResourceView } from '../../parts/page.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { filingStatusNames } from './names.ts';
import { SettingsForm } from './settings-form.tsx';

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

function StatusOfAll({ settings: { filingStatus } }: { readonly settings: BooksSettings }) {
  return (
    <Card title="Filing status">
      <SettingsForm
        fields={{
          filingStatus: {
            label: 'Default for all years',
            value: filingStatus,
            options: toOptions(filingStatusNames),
            hint: 'Decides how much loss you can deduct each year: $3,000, or $1,500 if married filing separately.',
          },
        }}
        patch={(values) => values}
        said={(values) => `Filing status: ${filingStatusNames[values.filingStatus]}.`}
      />
    </Card>
  );
}

function YearsStated({ settings, years }: { readonly settings: BooksSettings; readonly years: readonly number[] }) {
  const { filingStatusByYear, taxableIncome, carryover } = statedByYear(settings);
  const stated = [filingStatusByYear, taxableIncome, carryover].flatMap((record) => Object.keys(record).map(Number));
  const all = [...new Set([...years, ...stated])].sort((a, b) => b - a);
  const [opened, setOpened] = useState<number | null>(null);
  return (
    <Card title="Year by year">
      <p>
        Taxable income before capital gains decides how much loss carries over. A carryover that you enter counts only
        if your records don't go back to the year it comes from.
      </p>
      <Table
        label="Year by year"
        rows={all}
        keyOf={(year) => year}
        columns={[
          { head: 'Year', cell: (year) => year },
          {
            head: 'Filing status',
            cell: (year) => {
              const status = filingStatusByYear[year];
              return status === undefined ? <span class="muted">default</span> : filingStatusNames[status];
            },
          },
          { head: 'Taxable income', kind: 'money', cell: (year) => taxableIncome[year] ?? null },
          { head: 'Short-term loss carryover', kind: 'money', cell: (year) => carryover[year]?.short ?? null },
          { head: 'Long-term loss carryover', kind: 'money', cell: (year) => carryover[year]?.long ?? null },
          {
            head: 'Change',
            kind: 'buttons',
            cell: (year) => <Button label="Change" aria-label={`Change ${year}`} onClick={() => setOpened(year)} />,
          },
        ]}
      />
      <Form
        fields={{ other: { label: 'Another year', inputMode: 'numeric', placeholder: '2020' } }}
        verb="Add"
        look=""
        isReady={({ other }) => /^(19|20)\d\d$/.test(other)}
        onSubmit={async ({ other }) => setOpened(Number(other))}
      />
      {opened !== null && <YearForm key={opened} year={opened} settings={settings} onClose={() => setOpened(null)} />}
    </Card>
  );
}

interface YearFormProps {
  readonly year: number;
  readonly settings: BooksSettings;
  readonly onClose: () => void;
}

function YearForm({ year, settings, onClose }: YearFormProps) {
  const { filingStatusByYear, taxableIncome, carryover } = statedByYear(settings);
  return (
    <section class="answer" aria-label={`Tax year ${year}`}>
      <h3>Tax year {year}</h3>
      <SettingsForm
        fields={{
          status: {
            label: 'Filing status',
            value: filingStatusByYear[year] ?? '',
            options: [{ value: '', label: 'Default' }, ...toOptions(filingStatusNames)],
          },
          income: { label: 'Taxable income without capital gains', type: 'money', value: taxableIncome[year] ?? '' },
          short: {
            label: 'Short-term loss carryover',
            type: 'money',
            value: carryover[year]?.short ?? '',
            hint: `Schedule D for ${year}, line 6.`,
          },
          long: {
            label: 'Long-term loss carryover',
            type: 'money',
            value: carryover[year]?.long ?? '',
            hint: `Schedule D for ${year}, line 14.`,
          },
        }}
        patch={({ status, income, short, long }) => ({
          filingStatusByYear: { [year]: status || null },
          taxableIncome: { [year]: income || null },
          carryover: { [year]: short === '' && long === '' ? null : { short: short || '0', long: long || '0' } },
        })}
        said={`Tax year ${year} saved.`}
        onClose={onClose}
      />
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
