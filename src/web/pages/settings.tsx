import type { ComponentType } from 'preact';
import { useRoute } from 'preact-iso';
import { settingsTabs } from '../destinations.ts';
import { Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
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

/** The parts of the settings, each with its own URL. */
const parts: Readonly<Record<string, { readonly lead: string; readonly view: ComponentType }>> = {
  accounts: { lead: 'Your accounts and their tax type.', view: Accounts },
  elections: { lead: 'Choices the law leaves to you. Preview before saving.', view: Elections },
  years: { lead: 'Filing status, taxable income and loss carryovers from your return.', view: ByYear },
  assets: {
    lead: "Each asset's class, and how we know it. The class decides the box, the form and the rate.",
    view: Assets,
  },
  allocation: {
    lead: 'Assigns the basis of a universal pool to wallets as of 2025 (Rev. Proc. 2024-28).',
    view: Allocation,
  },
  prices: { lead: "Asset prices for days that your files don't cover.", view: Prices },
  balances: { lead: 'Balances from your statements, compared with your transactions.', view: Balances },
  mappings: { lead: 'Saved column mappings', view: Mappings },
};

/** Accounts, tax choices and the other settings that the books depend on. */
export default function SettingsPage() {
  const { params } = useRoute();
  const name = params.part ?? 'accounts';
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
  const label = settingsTabs.find(({ href }) => href === `/settings/${name}`)?.label;
  if (part === undefined) return <NotFound />;
  return (
    <Page title={name === 'accounts' ? 'Settings' : `Settings: ${label}`} lead={part.lead}>
      <Tabs label="Parts of the settings" tabs={settingsTabs} />
      <part.view key={name} />
    </Page>
  );
}
