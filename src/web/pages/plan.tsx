import { useLocation } from 'preact-iso';
import { to } from '../api/page-url.ts';
import { Page } from '../parts/page.tsx';
import { HarvestView } from './plan/harvest.tsx';
import { SaleForm } from './plan/sale-form.tsx';
import { WhatIfResult } from './plan/what-if.tsx';

/** Planned sales: the effect of one sale, and losses to harvest. */
export default function PlanPage() {
  const { query } = useLocation();
  const isHarvest = query.view === 'losses';
  return (
    <Page title="Tax planning" lead="See how a sale would change your taxes before you make it. Nothing is saved.">
      <nav class="tabs" aria-label="Plans">
        <a href={to('/planning')} aria-current={isHarvest ? undefined : 'page'}>
          Try a sale
        </a>
        <a href={to('/planning', { view: 'losses' })} aria-current={isHarvest ? 'page' : undefined}>
          Tax-loss harvesting
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
