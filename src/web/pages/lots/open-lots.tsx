import { useList } from '../../api/list.ts';
import { accountName } from '../../format/account-names.ts';
import { formatCount } from '../../format/amounts.ts';
import { acquiredDay, day, daysBetween } from '../../format/dates.ts';
import { ListView } from '../../parts/list-view.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { fetchLots, type HeldAsset, holdingKey } from './holdings.ts';

interface OpenLotsProps {
  readonly holding: HeldAsset;
  readonly asOf: string | null;
  /** The day from which terms are calculated. */
  readonly today: string;
}

/** The open lots of a holding, oldest first. */
export function OpenLots({ holding, asOf, today }: OpenLotsProps) {
  const lots = useList(`lots ${holdingKey(holding)} ${asOf}`, (cursor) => fetchLots(holding, asOf, cursor));
  return (
    <ListView list={lots} more="Show more lots">
      {({ data }) => (
        <Table
          label={`Open lots of ${holding.asset}`}
          rows={data}
          keyOf={({ id }) => id}
          columns={[
            {
              head: 'Acquired',
              cell: ({ acquired, account, heldSince }) => (
                <>
                  {acquiredDay(acquired)}
                  <p class="fine">
                    {accountName(account)}
                    {heldSince !== null && heldSince !== acquired && `, held since ${day(heldSince)}`}
                  </p>
                </>
              ),
            },
            { head: 'Quantity', kind: 'quantity', cell: ({ quantity }) => quantity },
            { head: 'Cost basis', kind: 'money', cell: ({ basis }) => basis },
            { head: 'Value', kind: 'money', cell: ({ value }) => value },
            { head: 'Unrealized', kind: 'gain', cell: ({ unrealized }) => unrealized },
            { head: 'Term', cell: ({ longTermOn }) => <Term longTermOn={longTermOn} today={today} /> },
          ]}
        />
      )}
    </ListView>
  );
}

function Term({ longTermOn, today }: { readonly longTermOn: string | null; readonly today: string }) {
  if (longTermOn === null) return <span class="muted">unknown</span>;
  const days = daysBetween(today, longTermOn);
  if (days <= 0) return <>long-term</>;
  return (
    <>
      short-term
      <p class="fine">
        long-term on {day(longTermOn)}, in {formatCount(days, 'day')}
      </p>
    </>
  );
}
