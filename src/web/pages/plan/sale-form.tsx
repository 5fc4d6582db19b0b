import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { quantity } from '../../format/amounts.ts';
import { accountName } from '../../format/words.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { isComplete, type PlannedSale, readHeld, readPlannedSale } from './sale.ts';

/** The form for the planned sale. All inputs are in the URL, and the result is shown below. */
export function SaleForm() {
  const { query, route, url } = useLocation();
  const held = useResource('held by account', readHeld);
  const [sale, setSale] = useState(() => readPlannedSale(query));
  useEffect(() => setSale(readPlannedSale(query)), [url]);
  const set = (change: Partial<PlannedSale>) => setSale((before) => ({ ...before, ...change }));
  const holdings = held.data?.data ?? [];
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
  if (held.data !== undefined && holdings.length === 0) return <NothingToSell />;
  return (
    <form class="card" onSubmit={submit} aria-label="Planned sale">
      {held.problem !== null && <ProblemNotice problem={held.problem} />}
      <div class="fields">
        <Choice
          label="Sell"
          value={chosen === undefined ? '' : String(holdings.indexOf(chosen))}
          options={[
            { value: '', label: 'Choose a holding' },
            ...holdings.map(({ asset, account }, at) => ({
              value: String(at),
              label: `${asset}, ${accountName(account ?? '')}`,
            })),
          ]}
          onChange={(index) => {
            const holding = holdings[Number(index)];
            if (index === '' || holding === undefined) set({ asset: '', class: '', account: '' });
            else set({ asset: holding.asset, class: holding.assetClass, account: holding.account ?? '' });
          }}
          hint={chosen !== undefined && `${quantity(chosen.quantity)} held.`}
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

function NothingToSell() {
  return (
    <section class="card">
      <h2>No holdings</h2>
      <p>
        You can plan a sale once you have holdings. <a href={to('/import')}>Import files</a> that contain purchases.
      </p>
    </section>
  );
}
