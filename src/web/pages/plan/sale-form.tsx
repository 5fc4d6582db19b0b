import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { transitAccount } from '../../../engine/book/own-accounts.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { accountName } from '../../format/account-names.ts';
import { quantity } from '../../format/amounts.ts';
import { Empty } from '../../parts/empty.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { type HeldAssets, isComplete, type PlannedSale, readHeld, readPlannedSale } from './sale.ts';

/** The form for the planned sale. All inputs are in the URL, and the result is shown below. */
export function SaleForm() {
  const { query, route, url } = useLocation();
  const held = useResource('held by account', readHeld);
  const [sale, setSale] = useState(() => readPlannedSale(query));
  useEffect(() => setSale(readPlannedSale(query)), [url]);
  const set = (change: Partial<PlannedSale>) => setSale((before) => ({ ...before, ...change }));
  const [inTransit, holdings] = [true, false].map((isMoving) =>
    (held.data?.data ?? []).filter(({ account }) => (account === transitAccount) === isMoving),
  ) as [HeldAssets, HeldAssets];
  const moving = inTransit.find(({ asset }) => asset === sale.asset);
  const chosen = holdings.find(
    ({ asset, assetClass, account }) =>
      asset === sale.asset &&
      (sale.class === '' || assetClass === sale.class) &&
      (sale.account === '' || account === sale.account),
  );
  // The defaults are the only account that holds the asset, and today.
  const whole = {
    ...sale,
    account: sale.account === '' ? (chosen?.account ?? '') : sale.account,
    date: sale.date === '' ? (held.data?.asOf ?? '') : sale.date,
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (isComplete(whole)) route(to('/planning', { ...whole, class: chosen?.assetClass ?? whole.class }));
  };
  if (held.data !== undefined && holdings.length === 0) {
    return (
      <Empty title="No holdings">Once your purchases are in, preview a sale and its tax before you make it.</Empty>
    );
  }
  return (
    <form class="card" onSubmit={submit} aria-label="Planned sale">
      {held.problem !== null && <ProblemNotice problem={held.problem} />}
      <div class="fields">
        <Choice
          label="Sell"
          value={chosen === undefined ? '' : String(holdings.indexOf(chosen))}
          options={[
            { value: '', label: 'Choose a holding' },
            ...holdings.map(({ asset, assetName, account }, at) => ({
              value: String(at),
              label: [asset, assetName, accountName(account ?? '')].filter(Boolean).join(', '),
            })),
          ]}
          onChange={(index) => {
            const holding = holdings[Number(index)];
            if (index === '' || holding === undefined) set({ asset: '', class: '', account: '' });
            else set({ asset: holding.asset, class: holding.assetClass, account: holding.account ?? '' });
          }}
          hint={
            chosen !== undefined &&
            `${quantity(chosen.quantity)} held.${moving === undefined ? '' : ` Another ${quantity(moving.quantity)} are in transit and can't be sold: their deposit is missing.`}`
          }
        />
        <Field
          label="Quantity"
          value={sale.quantity}
          onInput={(text) => set({ quantity: text })}
          type="quantity"
          isRequired
          hint={
            chosen !== undefined && (
              <button type="button" class="plain" onClick={() => set({ quantity: chosen.quantity })}>
                Sell all
              </button>
            )
          }
        />
        <Field
          label="Price per unit"
          value={sale.price}
          onInput={(text) => set({ price: text, amount: '' })}
          type="money"
          hint="Leave blank to use the latest price."
        />
        <Field
          label="Or total proceeds, after fees"
          value={sale.amount}
          onInput={(text) => set({ amount: text, price: '' })}
          type="money"
        />
        <Field label="On" type="date" value={whole.date} onInput={(text) => set({ date: text })} isRequired />
      </div>
      <button type="submit" class="primary" disabled={whole.asset === ''}>
        Calculate
      </button>
    </form>
  );
}
