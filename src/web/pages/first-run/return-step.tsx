import { useLocation } from 'preact-iso';
import type { FilingStatus } from '../../../forms/report.ts';
import { api, unwrapResponse } from '../../api/api.ts';
import { useOpenClient } from '../../api/books.ts';
import { booksChanged } from '../../api/changes.ts';
import { clientId, to } from '../../api/page-url.ts';
import { account, changeAccount } from '../../api/session.ts';
import { saveSettings, useSettings } from '../../api/settings.ts';
import { getPerson, rememberYear, useTaxYear, useYearChoices } from '../../api/tax-year.ts';
import { browserTimeZone } from '../../format/dates.ts';
import { Choice } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Waiting } from '../../parts/resource-view.tsx';
import { TimeZoneField } from '../../parts/time-zone-field.tsx';
import { filingStatusNames, toOptions } from '../settings/names.ts';

/** The first step: the tax year, and what the return says about the person. */
export function ReturnStep() {
  const client = useOpenClient().data;
  const settings = useSettings().data;
  const year = useTaxYear();
  const person = clientId.value === null ? account.value : client;
  if (!person || settings === undefined || year === null) return <Waiting />;
  const statuses = (settings.filingStatusByYear ?? {}) as Readonly<Record<string, FilingStatus>>;
  return <ReturnForm key={getPerson()} person={person} statuses={statuses} year={year} />;
}

interface ReturnFormProps {
  readonly person: { readonly taxpayerName: string; readonly timeZone: string; readonly timeZoneStated: boolean };
  readonly statuses: Readonly<Record<string, FilingStatus>>;
  readonly year: number;
}

function ReturnForm({ person, statuses, year }: ReturnFormProps) {
  const { route } = useLocation();
  const zoneBefore = person.timeZoneStated ? person.timeZone : '';
  // The browser of a CPA does not know where the client lives.
  const zoneFound = zoneBefore === '' && clientId.value === null ? browserTimeZone() : zoneBefore;
  const statusBefore = statuses[year] ?? '';
  return (
    <Form
      class="card"
      draft={`first-run ${getPerson()}`}
      fields={{
        year: { label: 'Tax year', view: YearField },
        timeZone: { label: 'Time zone', view: TimeZoneField, value: zoneFound },
        status: {
          label: 'Filing status',
          value: statusBefore,
          options: [{ value: '', label: 'Choose later' }, ...toOptions(filingStatusNames)],
          hint: 'Decides how much loss you can deduct.',
        },
        taxpayerName: {
          label: 'Name on tax return (optional)',
          value: person.taxpayerName,
          hint: 'Needed on the form. You can add it later.',
        },
      }}
      verb="Continue"
      keeps
      actions={
        <a class="button" href={to('/welcome', { step: 2 })}>
          Skip
        </a>
      }
      onSubmit={async ({ timeZone, status, taxpayerName }) => {
        const change = {
          ...(timeZone === zoneBefore ? {} : { timeZone }),
          ...(taxpayerName === person.taxpayerName ? {} : { taxpayerName }),
        };
        if (Object.keys(change).length > 0) await savePerson(change);
        if (status !== statusBefore) await saveSettings({ filingStatusByYear: { [year]: status || null } });
        rememberYear(year);
        route(to('/welcome', { step: 2, year }));
      }}
    />
  );
}

/** The tax year, which is in the URL. */
function YearField({ label }: { readonly label: string }) {
  const { route } = useLocation();
  return (
    <Choice
      label={label}
      value={String(useTaxYear())}
      options={useYearChoices().map((each) => ({ value: String(each), label: String(each) }))}
      onChange={(value) => route(to('/welcome', { year: value }), true)}
      hint="You can change it at the top of every page."
    />
  );
}

/** Saves the details of the client whose books are open, or of the user. */
async function savePerson(change: { readonly timeZone?: string; readonly taxpayerName?: string }): Promise<void> {
  const id = clientId.peek();
  if (id === null) await changeAccount(change);
  else await unwrapResponse(api.clients({ id }).patch(change));
  booksChanged();
}
