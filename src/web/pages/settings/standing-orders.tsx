import { useState } from 'preact/hooks';
import type { OrderMethod } from '../../../engine/model.ts';
import type { BooksSettings } from '../../api/settings.ts';
import { day } from '../../format/dates.ts';
import { methodNames, orderNames } from '../../format/methods.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { StackedTable } from '../../parts/tables/stacked-table.tsx';
import { toOptions } from './names.ts';
import { RemoveButton } from './remove-button.tsx';
import { SettingsChange } from './settings-change.tsx';

type StandingOrderSetting = BooksSettings['standingOrders'][number];

interface StandingOrdersProps {
  readonly settings: BooksSettings;
  readonly accounts: readonly string[];
}

const blank = { account: '', asset: '', method: 'HIFO' as OrderMethod, madeAt: '', toldBroker: '' };

/** Standing instructions to a broker that choose lots ahead of sales. */
export function StandingOrders({ settings, accounts }: StandingOrdersProps) {
  const now = settings.standingOrders;
  const [instructions, setGiven] = useState<readonly StandingOrderSetting[] | null>(null);
  const [fields, setFields] = useState(blank);
  const put = (change: Partial<typeof blank>) => setFields({ ...fields, ...change });
  return (
    <section class="card">
      <h2>Standing lot instructions</h2>
      <p>
        An instruction you gave before a sale chooses its lots, like “sell the highest cost first”. It applies to sales
        after its effective date. The most specific one wins.
      </p>
      {now.length > 0 && (
        <OrdersTable orders={now} onRemove={(order) => setGiven(now.filter((each) => each !== order))} />
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setGiven([...now, toStandingOrder(fields)]);
        }}
      >
        <div class="fields">
          <Choice
            label="Account"
            value={fields.account}
            options={[
              { value: '', label: 'All accounts' },
              ...accounts.map((account) => ({ value: account, label: account })),
            ]}
            onChange={(account) => put({ account })}
          />
          <Field
            label="Asset"
            value={fields.asset}
            onInput={(asset) => put({ asset })}
            hint="Leave blank for all assets."
          />
          <Choice
            label="Which lots"
            value={fields.method}
            options={toOptions(orderNames)}
            onChange={(method) => put({ method })}
          />
          <Field
            label="Effective date"
            type="date"
            isRequired
            value={fields.madeAt}
            onInput={(madeAt) => put({ madeAt })}
            hint="Earlier sales keep their method."
          />
          <Field
            label="Broker notified"
            type="date"
            value={fields.toldBroker}
            onInput={(toldBroker) => put({ toldBroker })}
            hint="Optional. Required from 2027 for crypto held at a broker."
          />
        </div>
        <button type="submit">Preview</button>
      </form>
      {instructions !== null && (
        <SettingsChange
          patch={{ standingOrders: instructions.length === 0 ? null : [...instructions] }}
          said="Standing instructions saved."
          onClose={() => {
            setGiven(null);
            setFields(blank);
          }}
        />
      )}
    </section>
  );
}

interface OrdersTableProps {
  readonly orders: readonly StandingOrderSetting[];
  readonly onRemove: (order: StandingOrderSetting) => void;
}

function OrdersTable({ orders, onRemove }: OrdersTableProps) {
  return (
    <StackedTable
      label="Standing lot instructions"
      columns={['Account', 'Asset', 'Which lots', 'Effective date', 'Broker notified', { unseen: 'Remove' }]}
      rows={orders.map((order) => ({
        key: JSON.stringify(order),
        name: order.account ?? 'All accounts',
        cells: [
          order.asset ?? 'All assets',
          methodNames[order.method],
          <span class="whole">{day(order.madeAt)}</span>,
          order.toldBroker === undefined ? <span class="muted">not set</span> : day(order.toldBroker),
          <RemoveButton
            of={`the instruction for ${order.account ?? 'all accounts'} and ${order.asset ?? 'all assets'}`}
            onRemove={() => onRemove(order)}
          />,
        ],
      }))}
    />
  );
}

function toStandingOrder({ account, asset, method, madeAt, toldBroker }: typeof blank): StandingOrderSetting {
  return {
    ...(account === '' ? {} : { account }),
    ...(asset.trim() === '' ? {} : { asset: asset.trim() }),
    method,
    madeAt,
    ...(toldBroker === '' ? {} : { toldBroker }),
  };
}
