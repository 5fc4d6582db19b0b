import { useLocation } from 'preact-iso';
import { to } from '../api/page-url.ts';
import { Page } from '../parts/page.tsx';
import { HarvestView } from './plan/harvest.tsx';
import { SaleForm } from './plan/sale-form.tsx';
import { WhatIfResult } from './plan/what-if.tsx';
import { YearEndView } from './plan/year-end.tsx';

const tabs = [
  { name: 'sale', label: 'Try a sale' },
  { name: 'losses', label: 'Tax-loss harvesting' },
  { name: 'year-end', label: 'Before December 31' },
] as const;

/** Planned sales: the effect of one sale, losses to harvest, and what to do before the end of the year. */
export default function PlanPage() {
  const { query } = useLocation();
  const view = query.view === 'losses' || query.view === 'year-end' ? query.view : 'sale';
  return (
    <Page title="Tax planning" lead="See how a sale would change your taxes before you make it. Nothing is saved.">
      <nav class="tabs" aria-label="Plans">
        {tabs.map(({ name, label }) => (
          <a
            key={name}
            href={to('/planning', { view: name === 'sale' ? null : name })}
            aria-current={name === view ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      {view === 'losses' && <HarvestView />}
      {view === 'year-end' && <YearEndView />}
      {view === 'sale' && (
        <>
          <SaleForm />
          <WhatIfResult />
        </>
      )}
    </Page>
  );
}
