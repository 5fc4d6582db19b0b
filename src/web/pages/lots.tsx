import { useLocation } from 'preact-iso';
import { to } from '../api/page-url.ts';
import { useResource } from '../api/resource.ts';
import { day } from '../format/dates.ts';
import { Empty } from '../parts/empty.tsx';
import { Choice, Field } from '../parts/field.tsx';
import { HelpTerm } from '../parts/help-term.tsx';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { ResourceView } from '../parts/resource-view.tsx';
import { HeldTotals } from './lots/held-totals.tsx';
import { type HeldBy, readHoldings } from './lots/holdings.ts';
import { HoldingsTable } from './lots/holdings-table.tsx';
import { selectShown, usualSort } from './lots/order.ts';
import { PriceDates } from './lots/price-dates.tsx';
import { ValueOverTime } from './lots/value-over-time.tsx';

/** The holdings by asset or account, with the open lots of each. */
export default function LotsPage() {
  const { query, route } = useLocation();
  const by: HeldBy = query.by === 'account' ? 'account' : 'asset';
  const asOf = /^\d{4}-\d\d-\d\d$/.test(query.asOf ?? '') ? (query.asOf ?? null) : null;
  const asset = query.asset || null;
  const text = query.q ?? '';
  const request = { by, asset, asOf, limit: holdingsMax };
  const holdings = useResource(`holdings ${JSON.stringify(request)}`, () => readHoldings(request));
  const show = (change: Readonly<Record<string, string>>) =>
    route(to('/holdings', { ...query, open: null, ...change }), true);
  return (
    <Page
      title="Holdings"
      lead={
        holdings.data && (
          <>
            {asOf === null ? 'Current holdings' : `Holdings at the end of ${day(asOf)}`}.{' '}
            <PriceDates data={holdings.data.data} asOf={holdings.data.asOf} />
          </>
        )
      }
    >
      <div class="filters compact">
        <Field label="Find" type="search" value={text} onInput={(q) => show({ q })} placeholder="Symbol or name" />
        <Choice
          label="By"
          value={by}
          options={[
            { value: 'asset', label: 'Asset' },
            { value: 'account', label: 'Account' },
          ]}
          onChange={(chosen) => show({ by: chosen === 'asset' ? '' : chosen })}
        />
        <Field label="As of" type="date" value={asOf ?? ''} onInput={(text) => show({ asOf: text })} />
        {asset !== null && (
          <button type="button" class="chip" onClick={() => show({ asset: '' })}>
            {asset}
            <Icon name="close" />
            <span class="visually-hidden">, show all</span>
          </button>
        )}
      </div>
      <ResourceView reading={holdings}>
        {(holdings) =>
          holdings.data.length === 0 ? (
            <NothingHeld asset={asset} asOf={asOf} />
          ) : (
            <>
              <HeldTotals answer={holdings} />
              {asOf === null && <ValueOverTime asset={asset} />}
              <section class="card">
                <HoldingsTable
                  answer={holdings}
                  shown={selectShown(holdings, text, query.sort ?? usualSort)}
                  asOf={asOf}
                  isOpened={asset !== null && holdings.data.length === 1}
                />
                {holdings.hasMore && (
                  <p class="fine">Only the first {holdingsMax} holdings are listed. The totals include all.</p>
                )}
              </section>
            </>
          )
        }
      </ResourceView>
    </Page>
  );
}

/** The API's maximum. All holdings are loaded to search and sort them. */
const holdingsMax = 1000;

interface NothingHeldProps {
  readonly asset: string | null;
  readonly asOf: string | null;
}

function NothingHeld({ asset, asOf }: NothingHeldProps) {
  const isNarrowed = asset !== null || asOf !== null;
  return (
    <Empty title={`No ${asset === null ? '' : `${asset} `}holdings${asOf === null ? '' : ` on ${day(asOf)}`}`}>
      What you own appears here, with the <HelpTerm entry="lot">lots</HelpTerm> that your purchases open
      {isNarrowed && (
        <>
          . See <a href={to('/holdings')}>all current holdings</a>
        </>
      )}
      .
    </Empty>
  );
}
