import { useState } from 'preact/hooks';
import type { OrderMethod } from '../../../engine/model.ts';
import type { BooksSettings } from '../../api/settings.ts';
import { day } from '../../format/dates.ts';
import { methodNames, orderNames } from '../../format/methods.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { StackedTable } from '../../parts/tables/stacked-table.tsx';
import { optionsOf } from './names.ts';
import { RemoveButton } from './remove-button.tsx';
import { SettingsChange } from './settings-change.tsx';

type GivenOrder = BooksSettings['standingOrders'][number];

interface StandingOrdersProps {
  readonly settings: BooksSettings;
  readonly accounts: readonly string[];
}

const blank = { account: '', asset: '', method: 'HIFO' as OrderMethod, madeAt: '', toldBroker: '' };

/** Orders that name lots ahead of the sales. */
export function StandingOrders({ settings, accounts }: StandingOrdersProps) {
  const now = settings.standingOrders;
  const [given, setGiven] = useState<readonly GivenOrder[] | null>(null);
  const [fields, setFields] = useState(blank);
  const put = (change: Partial<typeof blank>) => setFields({ ...fields, ...change });
  return (
    <section class="card">
      <h2>Standing orders</h2>
      <p>
        An order that you gave before the sales names their lots: “sell the highest cost first”. It counts for sales
        after the day it was made; the most specific one wins.
      </p>
      {now.length > 0 && (
        <OrdersTable orders={now} onRemove={(order) => setGiven(now.filter((each) => each !== order))} />
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setGiven([...now, orderOf(fields)]);
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
            hint="Left empty: all assets."
          />
          <Choice
            label="Which lots"
            value={fields.method}
            options={optionsOf(orderNames)}
            onChange={(method) => put({ method })}
          />
          <Field
            label="Made on"
            type="date"
            isRequired
            value={fields.madeAt}
            onInput={(madeAt) => put({ madeAt })}
            hint="Sales before it keep the method."
          />
          <Field
            label="Broker notified on"
            type="date"
            value={fields.toldBroker}
            onInput={(toldBroker) => put({ toldBroker })}
            hint="Optional; needed for coins at a broker from 2027."
          />
        </div>
        <button type="submit">See what changes</button>
      </form>
      {given !== null && (
        <SettingsChange
          patch={{ standingOrders: given.length === 0 ? null : [...given] }}
          said="The standing orders are saved."
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
  readonly orders: readonly GivenOrder[];
  readonly onRemove: (order: GivenOrder) => void;
}

function OrdersTable({ orders, onRemove }: OrdersTableProps) {
  return (
    <StackedTable
      label="Standing orders"
      columns={['Account', 'Asset', 'Which lots', 'Made on', 'Broker notified on', { unseen: 'Remove' }]}
      rows={orders.map((order) => ({
        key: JSON.stringify(order),
        name: order.account ?? 'All accounts',
        cells: [
          order.asset ?? 'All assets',
          methodNames[order.method],
          <span class="whole">{day(order.madeAt)}</span>,
          order.toldBroker === undefined ? <span class="muted">not stated</span> : day(order.toldBroker),
          <RemoveButton
            of={`the order of ${order.account ?? 'all accounts'} for ${order.asset ?? 'all assets'}`}
            onRemove={() => onRemove(order)}
          />,
        ],
      }))}
    />
  );
}

function orderOf({ account, asset, method, madeAt, toldBroker }: typeof blank): GivenOrder {
  return {
    ...(account === '' ? {} : { account }),
    ...(asset.trim() === '' ? {} : { asset: asset.trim() }),
    method,
    madeAt,
    ...(toldBroker === '' ? {} : { toldBroker }),
  };
}
