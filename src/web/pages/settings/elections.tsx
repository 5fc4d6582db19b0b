import { useState } from 'preact/hooks';
import { type BooksSettings, type SettingsPatch, useSettings } from '../../api/settings.ts';
import { day } from '../../format/dates.ts';
import { methodNames } from '../../format/methods.ts';
import { Field, toOptions } from '../../parts/field.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import { ResourceView } from '../../parts/page.tsx';
import { type ElectionFact, elections, washScopeNames } from './election-facts.ts';
import { accountTypeNames } from './names.ts';
import { RemoveButton, SettingsForm, SettingsList } from './settings-form.tsx';

/** Choices that the law leaves to the taxpayer: the ones that matter to most, and all others folded. */
export function Elections() {
  const [text, setText] = useState('');
  const words = text.trim().toLowerCase();
  const isFound = ({ title, meaning, group = '' }: Pick<ElectionFact, 'title' | 'meaning' | 'group'>) =>
    `${group} ${title} ${meaning}`.toLowerCase().includes(words);
  return (
    <ResourceView reading={useSettings()}>
      {(settings) => {
        const all = [...elections.map((fact) => ({ ...fact, View: Election })), ...others].filter(isFound);
        const show = ({ View, ...fact }: (typeof all)[number]) => (
          <div key={fact.title} class="election">
            <View settings={settings} fact={fact as ElectionFact} />
          </div>
        );
        const main = all.filter(({ group }) => group === undefined);
        const groups = [...new Set(all.flatMap(({ group }) => group ?? []))];
        return (
          <>
            <div class="filters">
              <Field label="Find a choice" type="search" value={text} onInput={setText} />
            </div>
            {all.length === 0 && <p>No choice contains “{text}”.</p>}
            {main.length > 0 && <section class="card">{main.map(show)}</section>}
            {groups.length > 0 && (
              <details class="card" open={words !== ''}>
                <summary>Advanced</summary>
                {groups.map((name) => (
                  <section key={name} aria-label={name}>
                    <h2>{name}</h2>
                    {all.filter(({ group }) => group === name).map(show)}
                  </section>
                ))}
              </details>
            )}
          </>
        );
      }}
    </ResourceView>
  );
}

interface ElectionProps {
  readonly settings: BooksSettings;
  readonly fact: ElectionFact;
}

function Election({ settings, fact: { member, title, meaning, names, entry } }: ElectionProps) {
  const options = toOptions(names).map(({ value, label }, at) => ({
    value,
    label: at === 0 ? `${label} · default` : label,
  }));
  const hint = (
    <>
      {meaning} <HelpTerm entry={entry}>Learn more</HelpTerm>
    </>
  );
  return (
    <SettingsForm
      fields={{ chosen: { label: title, value: String(settings[member]), options, hint } }}
      patch={({ chosen }) => ({ [member]: member === 'wholeDollars' ? chosen === 'true' : chosen }) as SettingsPatch}
      said={({ chosen }) => `${title}: ${names[chosen]}.`}
    />
  );
}

const otherAccounts = ['ira', 'roth_ira', 'hsa', '401k', 'spouse'] as const;

/** Choices that are not one of a fixed set of values. */
const others = [
  {
    group: 'Lot selection',
    title: 'Change the method from a year on',
    meaning: 'Applies to sales from January 1 of that year. Earlier sales keep their method.',
    View: ({ settings: { methodFrom }, fact }: ElectionProps) => (
      <DatedChoices
        {...fact}
        items={methodFrom.map(({ year, method }) => ({ from: String(year), chosen: method }))}
        names={methodNames}
        from={{ label: 'From', inputMode: 'numeric', placeholder: '2025' }}
        isReady={(from) => /^(19|20)\d\d$/.test(from)}
        patch={(items) => ({
          methodFrom: items?.map(({ from, chosen }) => ({ year: Number(from), method: chosen })) ?? null,
        })}
      />
    ),
  },
  {
    group: 'Wash sales',
    title: 'Other accounts',
    meaning:
      'Purchases in these accounts also disallow losses in your taxable accounts. In a retirement account, the loss is permanently lost.',
    View: ({ settings: { washAccounts }, fact: { title, meaning } }: ElectionProps) => (
      <SettingsForm
        fields={{
          washAccounts: {
            label: title,
            hint: meaning,
            type: 'checks',
            value: otherAccounts.filter((type) => washAccounts.includes(type)),
            options: otherAccounts.map((value) => ({ value, label: accountTypeNames[value] })),
          },
        }}
        patch={(values) => ({ washAccounts: [...values.washAccounts] })}
        said="Wash sale accounts saved."
      />
    ),
  },
  {
    group: 'Wash sales',
    title: 'Change on a date',
    meaning: 'Applies to sales from that date on, for example if a new law covers crypto.',
    View: ({ settings: { washSalesFrom }, fact }: ElectionProps) => (
      <DatedChoices
        {...fact}
        items={washSalesFrom.map(({ date, washSales }) => ({ from: date, chosen: washSales }))}
        names={washScopeNames}
        from={{ label: 'From', type: 'date' }}
        isReady={(from) => from !== ''}
        patch={(items) => ({
          washSalesFrom: items?.map(({ from, chosen }) => ({ date: from, washSales: chosen })) ?? null,
        })}
      />
    ),
  },
  {
    group: 'Wash sales',
    title: 'Constructive sales of crypto from',
    meaning:
      'A bill that is not yet law would treat a short position against crypto you hold as a sale. Enter its effective date, and we ask about such positions from then on. Leave blank to skip these questions.',
    View: ({ settings: { constructiveSalesOfCoinsFrom = '' }, fact: { title, meaning } }: ElectionProps) => (
      <SettingsForm
        fields={{ date: { label: title, type: 'date', value: constructiveSalesOfCoinsFrom, hint: meaning } }}
        patch={({ date }) => ({ constructiveSalesOfCoinsFrom: date || null })}
        said="Date saved."
      />
    ),
  },
] as const;

interface DatedChoice<Value> {
  /** A year or a day. */
  readonly from: string;
  readonly chosen: Value;
}

interface DatedChoicesProps<Value extends string> {
  readonly title: string;
  readonly meaning: string;
  readonly items: readonly DatedChoice<Value>[];
  readonly names: Readonly<Record<Value, string>>;
  readonly from: {
    readonly label: string;
    readonly type?: 'date';
    readonly inputMode?: 'numeric';
    readonly placeholder?: string;
  };
  readonly isReady: (from: string) => boolean;
  readonly patch: (items: DatedChoice<Value>[] | null) => SettingsPatch;
}

/** A choice that changes over time. */
function DatedChoices<Value extends string>(props: DatedChoicesProps<Value>) {
  const { title, meaning, items, names, from, isReady, patch } = props;
  return (
    <>
      <h3>{title}</h3>
      <p class="fine">{meaning}</p>
      <SettingsList
        items={items}
        fields={{ from, chosen: { label: 'Choice', options: toOptions(names) } }}
        isReady={(values) => isReady(values.from)}
        add={(added) =>
          [...items.filter((item) => item.from !== added.from), added as DatedChoice<Value>].sort((a, b) =>
            a.from.localeCompare(b.from),
          )
        }
        patch={patch}
        said={`${title}: saved.`}
      >
        {(remove) => (
          <ul class="plain-list">
            {items.map((item) => (
              <li key={item.from}>
                From {item.from.includes('-') ? day(item.from) : item.from}: {names[item.chosen]}
                <RemoveButton of={`${title}: from ${item.from}`} onRemove={async () => remove(item)} />
              </li>
            ))}
          </ul>
        )}
      </SettingsList>
    </>
  );
}
