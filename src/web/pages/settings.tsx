import '../styles/settings.css';
import type { ComponentType } from 'preact';
import { useRoute } from 'preact-iso';
import { api, type ItemOf, useApi, write } from '../api/api.ts';
import { to } from '../api/page-url.ts';
import { settingsTabs } from '../destinations.ts';
import { moment } from '../format/dates.ts';
import { ActionButton } from '../parts/button.tsx';
import { OwnBooks } from '../parts/own-books.tsx';
import { Card, Page, ResourceView, Tabs } from '../parts/page.tsx';
import { Table } from '../parts/tables/table.tsx';
import { NotFound } from './not-found.tsx';
import { Accounts } from './settings/accounts.tsx';
import { Allocation } from './settings/allocation.tsx';
import { Assets } from './settings/assets.tsx';
import { Balances } from './settings/balances.tsx';
import { ByYear } from './settings/by-year.tsx';
import { Elections } from './settings/elections.tsx';
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

type MappingItem = ItemOf<typeof api.imports.mappings.get>;

/** Column mappings for files of unknown format, saved by their columns. */
function Mappings() {
  return (
    <ResourceView reading={useApi('mappings', () => api.imports.mappings.get({ query: { limit: 1000 } }))}>
      {({ data }) =>
        data.length === 0 ? (
          <Card title="None yet">
            <p>
              <a href={to('/import')}>Import</a> a file we don't recognize and match its columns once. The next file
              with these columns is imported the same way.
            </p>
          </Card>
        ) : (
          data.map((mapping) => <MappingCard key={mapping.id} mapping={mapping} />)
        )
      }
    </ResourceView>
  );
}

function MappingCard({ mapping: { id, header, mapping, usedAt } }: { readonly mapping: MappingItem }) {
  return (
    <Card title={`${header.slice(0, 4).join(', ')}…`}>
      <p class="fine">Last used {moment(usedAt)}.</p>
      <Table
        label={`Columns of ${header[0]}`}
        rows={header}
        keyOf={(column) => column}
        columns={[
          { head: 'Column', cell: (column) => column },
          { head: 'Maps to', cell: (column) => mapping.columns[column] ?? <span class="muted">ignored</span> },
        ]}
      />
      <p class="actions">
        <OwnBooks>
          <ActionButton
            icon="remove"
            label="Delete"
            act={() => write(api.imports.mappings({ id }).delete())}
            said="Mapping deleted. The next file with these columns needs a new one."
          />
        </OwnBooks>
      </p>
    </Card>
  );
}
