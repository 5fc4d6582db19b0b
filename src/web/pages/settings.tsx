import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { to } from '../api/acting.ts';
import { Page } from '../parts/page.tsx';
import '../styles/settings.css';
import { NotFound } from './not-found.tsx';
import { Accounts } from './settings/accounts.tsx';
import { Allocation } from './settings/allocation.tsx';
import { Assets } from './settings/assets.tsx';
import { Balances } from './settings/balances.tsx';
import { ByYear } from './settings/by-year.tsx';
import { Elections } from './settings/elections.tsx';
import { Mappings } from './settings/mappings.tsx';
import { Prices } from './settings/prices.tsx';

interface SettingsPart {
  readonly name: string;
  readonly label: string;
  readonly lead: string;
  readonly view: ComponentType;
}

/** The parts of the settings, each with its own URL. */
const parts: readonly SettingsPart[] = [
  {
    name: 'accounts',
    label: 'Accounts',
    lead: 'Your accounts and their tax type.',
    view: Accounts,
  },
  {
    name: 'elections',
    label: 'Tax choices',
    lead: 'Choices the law leaves to you. Preview before saving.',
    view: Elections,
  },
  {
    name: 'years',
    label: 'Year by year',
    lead: 'Filing status, taxable income and loss carryovers from your return.',
    view: ByYear,
  },
  {
    name: 'assets',
    label: 'Assets',
    lead: "Each asset's class, and how we know it. The class decides the box, the form and the rate.",
    view: Assets,
  },
  {
    name: 'allocation',
    label: '2024 year-end crypto allocation',
    lead: 'Assigns the basis of a universal pool to wallets as of 2025 (Rev. Proc. 2024-28).',
    view: Allocation,
  },
  {
    name: 'prices',
    label: 'Prices',
    lead: "Asset prices for days that your files don't cover.",
    view: Prices,
  },
  {
    name: 'balances',
    label: 'Balances',
    lead: 'Balances from your statements, compared with your transactions.',
    view: Balances,
  },
  {
    name: 'mappings',
    label: 'File mappings',
    lead: 'Saved column mappings',
    view: Mappings,
  },
];

/** Accounts, tax choices and the other settings that the books depend on. */
export default function SettingsPage() {
  const { params } = useRoute();
  const { path } = useLocation();
  const part = params.part === undefined ? parts[0] : parts.find(({ name }) => name === params.part);
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone, the current tab can be outside the visible area.
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [part]);
  if (part === undefined) return <NotFound />;
  return (
    <Page title={part.name === 'accounts' ? 'Settings' : `Settings: ${part.label}`} lead={part.lead}>
      <nav ref={tabs} class="tabs" aria-label="Parts of the settings">
        {parts.map(({ name, label }) => (
          <a
            key={name}
            href={to(`/settings/${name}`)}
            aria-current={name === part.name ? (path.endsWith(name) ? 'page' : 'true') : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <part.view key={part.name} />
    </Page>
  );
}
