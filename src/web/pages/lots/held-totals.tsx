import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { formatCount, formatShare, isZero } from '../../format/amounts.ts';
import { Money } from '../../parts/amount.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import { Notice } from '../../parts/notice.tsx';
import { readNeededPrices } from '../../parts/prices/needed.ts';
import { type HoldingsResponse, partNames } from './holdings.ts';

/** The totals of holdings with a price, so that the value minus the cost is the gain. */
export function HeldTotals({ answer: { sum } }: { readonly answer: HoldingsResponse }) {
  const { unvalued, unrealized, valuedBasis } = sum;
  const parts = partNames.filter(({ part }) => !isZero(unrealized[part]));
  const share = formatShare(unrealized.total, valuedBasis);
  return (
    <>
      <dl class="totals held-totals">
        <div>
          <dt>Value</dt>
          <dd>
            <Money amount={sum.value} />
          </dd>
        </div>
        <div>
          <dt>
            <HelpTerm entry="cost-basis">Cost basis</HelpTerm>
            {unvalued.holdings > 0 && ' with a price'}
          </dt>
          <dd>
            <Money amount={valuedBasis} />
          </dd>
        </div>
        <div>
          <dt>Unrealized gain</dt>
          <dd>
            <Money amount={unrealized.total} signed /> {share !== null && <small class="muted">{share}</small>}
          </dd>
        </div>
        {parts.length > 1 && (
          <div>
            <dt>Of which</dt>
            <dd class="gain-parts">
              {parts.map(({ part, name }) => (
                <span key={part} class="fine part">
                  <Money amount={unrealized[part]} signed />{' '}
                  {part === 'short' || part === 'long' ? <HelpTerm entry={name}>{name}</HelpTerm> : name}
                </span>
              ))}
            </dd>
          </div>
        )}
      </dl>
      <MissingPrices unvalued={unvalued} />
    </>
  );
}

function MissingPrices({ unvalued }: Pick<HoldingsResponse['sum'], 'unvalued'>) {
  const needed = useResource('prices needed', readNeededPrices).data?.length ?? 0;
  if (unvalued.holdings === 0 && needed === 0) return null;
  return (
    <Notice>
      {unvalued.holdings > 0 && (
        <p>
          {formatCount(unvalued.holdings, 'holding')} with a cost basis of <Money amount={unvalued.basis} />{' '}
          {unvalued.holdings === 1 ? "has no price and isn't" : "have no price and aren't"} included in the value. Open{' '}
          {unvalued.holdings === 1 ? 'it' : 'one'} below to add its price.
        </p>
      )}
      <p>
        <a href={to('/settings/prices')}>{needed > 0 ? `Prices needed (${needed})` : 'Enter or upload prices'}</a>
      </p>
    </Notice>
  );
}
