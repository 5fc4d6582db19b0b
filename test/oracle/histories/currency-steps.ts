import type { TransactionType } from '../../../src/engine/model.ts';
import type { Step } from './generate.ts';
import {
  accountOf,
  add,
  addRow,
  chooseLots,
  coinOf,
  costOf,
  heldIn,
  oneUnit,
  partOf,
  quantity,
  remember,
  type Scenario,
  unitsOf,
} from './history.ts';
import { isAmountMissing } from './trade-steps.ts';

const euro = { asset: 'EUR', assetClass: 'currency' } as const;

/**
 * Euros that are bought, earned, spent on coins and goods, moved or given away. Euros that were never bought are money.
 */
export function currency(scenario: Scenario, step: Step): void {
  const account = accountOf(step.account);
  const held = heldIn(scenario, account, euro.asset);
  const incoming = step.dice < 4 || held <= 0n;
  const units = incoming ? BigInt(step.quantity) * oneUnit : partOf(held, step);
  const amount = isAmountMissing(step) ? null : costOf(units, { ...step, price: 90 + (step.price % 40) });
  const row = { account, ...euro, quantity: quantity(units), amount };
  if (incoming) {
    const types: readonly TransactionType[] = ['buy', 'interest', 'deposit', 'opening_lot'];
    const type = types[step.dice % 4] ?? 'buy';
    const bought = addRow(scenario, {
      ...row,
      type,
      ...(type === 'opening_lot' ? { basis: amount, amount: null } : {}),
    });
    remember(scenario, euro.asset, bought);
    add(scenario, account, euro.asset, units);
    return;
  }
  const types: readonly TransactionType[] = [
    'trade',
    'trade',
    'sell',
    'sell',
    'spend',
    'transfer',
    'gift_out',
    'withdrawal',
  ];
  const type = types[step.dice - 4] ?? 'sell';
  const lots = step.other === 3 ? chooseLots(scenario, euro.asset, units, step) : [];
  if (type === 'trade') {
    give(scenario, step, row);
    return;
  }
  const toAccount = type === 'transfer' ? accountOf(step.other % 4) : '';
  if (toAccount === account) return;
  addRow(scenario, { ...row, type, lots, toAccount, ...(type === 'transfer' ? { amount: null } : {}) });
  add(scenario, account, euro.asset, -units);
  if (toAccount !== '') add(scenario, toAccount, euro.asset, units);
}

/** Exchanges euros for a coin or a coin for euros. The fee is in euros, coins or dollars, or there is none. */
function give(scenario: Scenario, step: Step, row: GivenEuros): void {
  const { account } = row;
  const coin = coinOf(step.asset % 2);
  const coins = unitsOf(step, coin.assetClass);
  const buys = step.other % 2 === 0 || heldIn(scenario, account, coin.asset) < coins;
  const [asset, receivedAsset] = buys ? [euro.asset, coin.asset] : [coin.asset, euro.asset];
  const [given, received] = buys ? [row.quantity, quantity(coins)] : [quantity(coins), row.quantity];
  const feeAsset = ['', euro.asset, receivedAsset, 'SOL'][step.part % 4] ?? '';
  const feeUnits = feeAsset === '' ? null : feeAsset === 'SOL' ? quantity(10n ** 16n) : quantity(10n ** 15n);
  const fee = step.fee === 0 || step.fee > 90 ? null : costOf(oneUnit / 10n, { ...step, price: step.fee });
  const trade = addRow(scenario, {
    type: 'trade',
    account,
    asset,
    assetClass: step.quantity % 2 === 0 ? 'crypto' : buys ? 'currency' : 'crypto',
    quantity: given,
    receivedAsset,
    receivedQuantity: received,
    amount: row.amount,
    fee,
    feeAsset,
    feeQuantity: feeUnits,
  });
  remember(scenario, receivedAsset, trade);
  add(scenario, account, asset, -given);
  add(scenario, account, receivedAsset, received);
}

interface GivenEuros {
  readonly account: string;
  readonly quantity: ReturnType<typeof quantity>;
  readonly amount: ReturnType<typeof costOf> | null;
}
