import { useState } from 'preact/hooks';
import type { BooksSettings, SettingsPatch } from '../../api/settings.ts';
import { useSettings } from '../../api/settings.ts';
import { HelpTerm } from '../../parts/help-term.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { type ElectionFact, electionGroups, entryOfElection } from './election-facts.ts';
import { MethodFrom } from './method-from.tsx';
import { toOptions } from './names.ts';
import { SettingsChange } from './settings-change.tsx';
import { WashAccounts } from './wash-accounts.tsx';
import { ConstructiveCoinsFrom, WashFrom } from './wash-from.tsx';

/** Choices that the law leaves to the taxpayer, each with its meaning and a preview of a change. */
export function Elections() {
  return (
    <ResourceView reading={useSettings()}>
      {(settings) =>
        electionGroups.map(({ id, title, elections }) => (
          <section key={id} class="card">
            <h2>{title}</h2>
            {elections.map((fact) => (
              <Election key={fact.member} fact={fact} settings={settings} />
            ))}
            {id === 'lots' && <MethodFrom settings={settings} />}
            {id === 'wash_sales' && (
              <>
                <WashFrom settings={settings} />
                <WashAccounts settings={settings} />
                <ConstructiveCoinsFrom settings={settings} />
              </>
            )}
          </section>
        ))
      }
    </ResourceView>
  );
}

interface ElectionProps {
  readonly fact: ElectionFact;
  readonly settings: BooksSettings;
}

function Election({ fact: { member, title, meaning, names }, settings }: ElectionProps) {
  const now = String(settings[member]);
  const [chosen, setChosen] = useState<string | null>(null);
  const value = chosen ?? now;
  const id = `election-${member}`;
  return (
    <div class="election">
      <div>
        <label for={id}>{title}</label>
        <p id={`${id}-meaning`} class="fine">
          {meaning}
        </p>
        {entryOfElection[member] !== undefined && (
          <p class="fine">
            <HelpTerm entry={entryOfElection[member]}>Learn more</HelpTerm>
          </p>
        )}
      </div>
      <select
        id={id}
        value={value}
        aria-describedby={`${id}-meaning`}
        onChange={(event) => setChosen(event.currentTarget.value === now ? null : event.currentTarget.value)}
      >
        {toOptions(names).map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {chosen !== null && (
        <SettingsChange
          patch={{ [member]: member === 'wholeDollars' ? chosen === 'true' : chosen } as SettingsPatch}
          said={`${title}: ${names[chosen]}.`}
          onClose={() => setChosen(null)}
        />
      )}
    </div>
  );
}
