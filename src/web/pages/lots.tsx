import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { to } from '../api/page-url.ts';
import { useResource } from '../api/resource.ts';
import { formatCount } from '../format/amounts.ts';
import { day } from '../format/dates.ts';
import { Money } from '../parts/amount.tsx';
import { Choice, Field } from '../parts/field.tsx';
import { HelpTerm } from '../parts/help-term.tsx';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { ResourceView } from '../parts/resource-view.tsx';
import { type HeldBy, type HoldingsResponse, readHoldings } from './lots/holdings.ts';
import { HoldingsTable } from './lots/holdings-table.tsx';

/** The holdings by asset or account, with the open lots of each. */
export default function LotsPage() {
  const { query, route } = useLocation();
  const by: HeldBy = query.by === 'account' ? 'account' : 'asset';
  const asOf = /^\d{4}-\d\d-\d\d$/.test(query.asOf ?? '') ? (query.asOf ?? null) : null;
  const asset = query.asset || null;
  const [limit, setLimit] = useState(200);
  const request = { by, asset, asOf, limit };
  const holdings = useResource(`holdings ${JSON.stringify(request)}`, () => readHoldings(request));
  const show = (change: Readonly<Record<string, string>>) =>
    route(to('/holdings', { ...query, open: null, ...change }), true);
  return (
    <Page
      title="Holdings"
      lead={
        holdings.data && (
          <>
            {asOf === null ? 'Current holdings' : `Holdings at the end of ${day(asOf)}`}. Priced at the latest known
            prices as of {day(holdings.data.asOf)}.
          </>
        )
      }
    >
      <div class="filters compact">
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
              <section class="card">
                <HoldingsTable answer={holdings} asOf={asOf} isOpened={asset !== null && holdings.data.length === 1} />
                {holdings.hasMore && limit < 1000 && (
                  <button type="button" onClick={() => setLimit(1000)}>
                    Show more
                  </button>
                )}
              </section>
            </>
          )
        }
      </ResourceView>
    </Page>
  );
}

function HeldTotals({ answer: { sum } }: { readonly answer: HoldingsResponse }) {
  const { unvalued, unrealized } = sum;
  return (
    <>
      <dl class="totals">
        <div>
          <dt>
            <HelpTerm entry="cost-basis">Cost basis</HelpTerm>
          </dt>
          <dd>
            <Money amount={sum.basis} />
          </dd>
        </div>
        <div>
          <dt>Value</dt>
          <dd>
            <Money amount={sum.value} />
          </dd>
        </div>
        <div>
          <dt>
            Unrealized, <HelpTerm entry="short-term">short-term</HelpTerm>
          </dt>
          <dd>
            <Money amount={unrealized.short} signed />
          </dd>
        </div>
        <div>
          <dt>
            Unrealized, <HelpTerm entry="long-term">long-term</HelpTerm>
          </dt>
          <dd>
            <Money amount={unrealized.long} signed />
          </dd>
        </div>
      </dl>
      {unvalued.holdings > 0 && (
        <div class="notice">
          <Icon name="warning" />
          <div>
            <p>
              {formatCount(unvalued.holdings, 'holding')} with a cost basis of <Money amount={unvalued.basis} />{' '}
              {unvalued.holdings === 1 ? "has no price and isn't" : "have no price and aren't"} included in the value.
              Open {unvalued.holdings === 1 ? 'it' : 'one'} below to add its price.
            </p>
          </div>
        </div>
      )}
    </>
  );
}

interface NothingHeldProps {
  readonly asset: string | null;
  readonly asOf: string | null;
}

function NothingHeld({ asset, asOf }: NothingHeldProps) {
  return (
    <section class="card">
      <h2>
        No {asset === null ? '' : `${asset} `}holdings{asOf !== null && ` on ${day(asOf)}`}
      </h2>
      <p>
        Purchases open <HelpTerm entry="lot">lots</HelpTerm>, and sales close them.{' '}
        <a href={to('/import')}>Import files</a>
        {(asset !== null || asOf !== null) && (
          <>
            , or see <a href={to('/holdings')}>all current holdings</a>
          </>
        )}
        .
      </p>
    </section>
  );
}
