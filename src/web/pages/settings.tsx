import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { to } from '../api/acting.ts';
import { Page } from '../parts/page.tsx';
import '../styles/settings.css';
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

/** The parts of the settings, each with an address. */
const parts: readonly SettingsPart[] = [
  {
    name: 'accounts',
    label: 'Accounts',
    lead: 'Where your rows come from, and what each account is.',
    view: Accounts,
  },
  {
    name: 'elections',
    label: 'Elections',
    lead: 'What the law leaves to you. Choose, see what each year would become, then save.',
    view: Elections,
  },
  {
    name: 'years',
    label: 'Year by year',
    lead: 'What your return says beside the sales: it decides what of a loss counts.',
    view: ByYear,
  },
  {
    name: 'assets',
    label: 'Assets',
    lead: 'What each asset is, and how we know. It decides the box, the form and the rate.',
    view: Assets,
  },
  {
    name: 'allocation',
    label: 'Coins at the end of 2024',
    lead: 'The basis of coins that were one pool goes to wallets from 2025 on (Rev. Proc. 2024-28).',
    view: Allocation,
  },
  {
    name: 'prices',
    label: 'Prices',
    lead: 'What assets were worth on days on which a file does not say it.',
    view: Prices,
  },
  {
    name: 'balances',
    label: 'Balances',
    lead: 'What your statements say you held, compared with your rows.',
    view: Balances,
  },
  {
    name: 'mappings',
    label: 'File mappings',
    lead: 'How files are read that no format of ours knows.',
    view: Mappings,
  },
];

/** Accounts, elections and what else the books rest on. */
export default function SettingsPage() {
  const { params } = useRoute();
  const { path } = useLocation();
  const part = parts.find(({ name }) => name === params.part) ?? parts[0];
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the tab of the part may stand beyond the edge.
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [part]);
  if (part === undefined) return null;
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
