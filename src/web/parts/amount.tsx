import type { ComponentChildren } from 'preact';
import { type DecimalText, isNegative, money, price, quantity } from '../format/amounts.ts';

/** Dollars. Privacy mode blurs them, and `signed` gives losses their own color besides the parentheses. */
export function Money({ amount, signed = false }: { readonly amount: DecimalText; readonly signed?: boolean }) {
  return <span class={signed && isNegative(amount) ? 'amount loss' : 'amount'}>{money(amount)}</span>;
}

/** Dollars that may be unknown. Unknown is never shown as zero. */
export function MoneyOrUnknown({ amount, signed }: { readonly amount: DecimalText | null; readonly signed?: boolean }) {
  return amount === null ? <span class="muted">unknown</span> : <Money amount={amount} signed={signed ?? false} />;
}

/** Dollars per unit, with all digits. */
export function Price({ amount }: { readonly amount: DecimalText }) {
  return <span class="amount">{price(amount)}</span>;
}

export function Quantity({ amount }: { readonly amount: DecimalText }) {
  return <span class="amount">{quantity(amount)}</span>;
}

/** An amount in the row's own currency. */
export function StatedAmount({ amount, currency }: { readonly amount: string | null; readonly currency: string }) {
  if (amount === null) return null;
  return currency === 'USD' || currency === '' ? (
    <Money amount={amount} />
  ) : (
    <span class="amount">
      {quantity(amount)} {currency}
    </span>
  );
}

interface TotalsProps {
  readonly class?: string;
  /** The name and the value of each total. Null leaves one out. */
  readonly items: readonly ({ readonly name: ComponentChildren; readonly value: ComponentChildren } | null)[];
}

/** A row of totals above a list. */
export function Totals({ class: name = '', items }: TotalsProps) {
  return (
    <dl class={`totals ${name}`.trim()}>
      {items.map(
        (item, at) =>
          item !== null && (
            <div key={at}>
              <dt>{item.name}</dt>
              <dd>{item.value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
