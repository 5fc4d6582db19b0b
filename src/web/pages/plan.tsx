import { useLocation } from 'preact-iso';
import { to } from '../api/acting.ts';
import { Page } from '../parts/page.tsx';
import { HarvestView } from './plan/harvest.tsx';
import { SaleForm } from './plan/sale-form.tsx';
import { WhatIfResult } from './plan/what-if.tsx';

/** Sales that are only planned: what one would do, and losses that could be taken. */
export default function PlanPage() {
  const { query } = useLocation();
  const isHarvest = query.view === 'losses';
  return (
    <Page title="Plan" lead="See what a sale would do to your tax before you make it. Nothing here is stored.">
      <nav class="tabs" aria-label="Plans">
        <a href={to('/plan')} aria-current={isHarvest ? undefined : 'page'}>
          A sale
        </a>
        <a href={to('/plan', { view: 'losses' })} aria-current={isHarvest ? 'page' : undefined}>
          Losses to take
        </a>
      </nav>
      {isHarvest ? (
        <HarvestView />
      ) : (
        <>
          <SaleForm />
          <WhatIfResult />
        </>
      )}
    </Page>
  );
}
