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
