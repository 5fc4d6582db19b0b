import type { BooksSettings } from '../../api/settings.ts';
import { methodNames, orderNames } from '../../format/methods.ts';
import { filled } from '../../parts/form.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { toOptions } from './names.ts';
import { RemoveButton } from './remove-button.tsx';
import { SettingsList } from './settings-form.tsx';

interface StandingOrdersProps {
  readonly settings: BooksSettings;
  readonly accounts: readonly string[];
}

/** Standing instructions to a broker that choose lots ahead of sales. */
export function StandingOrders({ settings: { standingOrders }, accounts }: StandingOrdersProps) {
  return (
    <section class="card">
      <h2>Standing lot instructions</h2>
      <p>
        An instruction you gave before a sale chooses its lots, like “sell the highest cost first”. It applies to sales
        after its effective date. The most specific one wins.
      </p>
      <SettingsList
        items={standingOrders}
        fields={{
          account: {
            label: 'Account',
            options: [
              { value: '', label: 'All accounts' },
              ...accounts.map((account) => ({ value: account, label: account })),
            ],
          },
          asset: { label: 'Asset', hint: 'Leave blank for all assets.' },
          method: { label: 'Which lots', value: 'HIFO', options: toOptions(orderNames) },
          madeAt: {
            label: 'Effective date',
            type: 'date',
            isRequired: true,
            hint: 'Earlier sales keep their method.',
          },
          toldBroker: {
            label: 'Broker notified',
            type: 'date',
            hint: 'Optional. Required from 2027 for crypto held at a broker.',
          },
        }}
        add={({ account, asset, method, madeAt, toldBroker }) => [
          ...standingOrders,
          { method, madeAt, ...filled({ account, asset: asset.trim(), toldBroker }) },
        ]}
        patch={(items) => ({ standingOrders: items })}
        said="Standing instructions saved."
      >
        {(remove) => (
          <Table
            label="Standing lot instructions"
            rows={standingOrders}
            keyOf={(order) => JSON.stringify(order)}
            empty=""
            columns={[
              { head: 'Account', cell: ({ account = 'All accounts' }) => account },
              { head: 'Asset', cell: ({ asset = 'All assets' }) => asset },
              { head: 'Which lots', cell: ({ method }) => methodNames[method] },
              { head: 'Effective date', kind: 'day', cell: ({ madeAt }) => madeAt },
              {
                head: 'Broker notified',
                kind: 'day',
                cell: ({ toldBroker }) => toldBroker ?? <span class="muted">not set</span>,
              },
              {
                head: 'Remove',
                kind: 'buttons',
                cell: (order) => (
                  <RemoveButton
                    of={`the instruction for ${order.account ?? 'all accounts'} and ${order.asset ?? 'all assets'}`}
                    onRemove={() => remove(order)}
                  />
                ),
              },
            ]}
          />
        )}
      </SettingsList>
    </section>
  );
}
