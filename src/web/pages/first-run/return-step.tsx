import { useLocation } from 'preact-iso';
import type { FilingStatus } from '../../../forms/report.ts';
import { api, unwrapResponse } from '../../api/api.ts';
import { useOpenClient } from '../../api/books.ts';
import { booksChanged } from '../../api/changes.ts';
import { useDraft } from '../../api/draft.ts';
import { clientId, to } from '../../api/page-url.ts';
import { account, changeAccount } from '../../api/session.ts';
import { saveSettings, useSettings } from '../../api/settings.ts';
import { getPerson, rememberYear, useTaxYear, useYearChoices } from '../../api/tax-year.ts';
import { browserTimeZone } from '../../format/dates.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { Waiting } from '../../parts/resource-view.tsx';
import { TimeZoneField } from '../../parts/time-zone-field.tsx';
import { useAction } from '../../parts/use-action.ts';
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
  const { act, problem, isBusy, problemOfField } = useAction();
  const zoneBefore = person.timeZoneStated ? person.timeZone : '';
  // The browser of a CPA does not know where the client lives.
  const zoneFound = zoneBefore === '' && clientId.value === null ? browserTimeZone() : zoneBefore;
  const [fields, put, forget] = useDraft(`first-run ${getPerson()}`, {
    timeZone: zoneFound,
    taxpayerName: person.taxpayerName,
    /** Null while untouched. */
    status: null as FilingStatus | '' | null,
  });
  const { timeZone, taxpayerName } = fields;
  const years = useYearChoices().map((each) => ({ value: String(each), label: String(each) }));
  const status = fields.status ?? statuses[year] ?? '';
  const save = async () => {
    const change = {
      ...(timeZone === zoneBefore ? {} : { timeZone }),
      ...(taxpayerName === person.taxpayerName ? {} : { taxpayerName }),
    };
    if (Object.keys(change).length > 0) await savePerson(change);
    if (status !== (statuses[year] ?? '')) {
      await saveSettings({ filingStatusByYear: { [year]: status === '' ? null : status } });
    }
    rememberYear(year);
  };
  return (
    <form
      class="card"
      onSubmit={async (event) => {
        event.preventDefault();
        if (!(await act(save))) return;
        forget();
        route(to('/welcome', { step: 2, year }));
      }}
    >
      {problem !== null && <ProblemNotice problem={problem} />}
      <div class="fields">
        <Choice
          label="Tax year"
          value={String(year)}
          options={years}
          onChange={(value) => route(to('/welcome', { year: value }), true)}
          hint="You can change it at the top of every page."
        />
        <TimeZoneField
          value={timeZone}
          onInput={(zone) => put({ timeZone: zone })}
          problem={problemOfField('timeZone')}
        />
        <Choice
          label="Filing status"
          value={status}
          options={[{ value: '', label: 'Choose later' }, ...toOptions(filingStatusNames)]}
          onChange={(value) => put({ status: value })}
          hint="Decides how much loss you can deduct."
        />
        <Field
          label="Name on tax return (optional)"
          value={taxpayerName}
          onInput={(name) => put({ taxpayerName: name })}
          problem={problemOfField('taxpayerName')}
          hint="Needed on the form. You can add it later."
        />
      </div>
      <p class="actions">
        <OwnBooks isSaid>
          <button type="submit" class="primary" aria-disabled={isBusy}>
            {isBusy ? 'Saving…' : 'Continue'}
          </button>
        </OwnBooks>
        <a class="button" href={to('/welcome', { step: 2 })}>
          Skip
        </a>
      </p>
    </form>
  );
}

/** Saves the details of the client whose books are open, or of the user. */
async function savePerson(change: { readonly timeZone?: string; readonly taxpayerName?: string }): Promise<void> {
  const id = clientId.peek();
  if (id === null) await changeAccount(change);
  else await unwrapResponse(api.clients({ id }).patch(change));
  booksChanged();
}
