import { type DecimalText, isNegative, isZero, money, quantity } from '../format/amounts.ts';

/** Dollars. Privacy mode blurs them, and `signed` colors gains and losses. */
export function Money({ amount, signed = false }: { readonly amount: DecimalText; readonly signed?: boolean }) {
  const tone = !signed || isZero(amount) ? '' : isNegative(amount) ? ' loss' : ' gain';
  return <span class={`amount${tone}`}>{money(amount)}</span>;
}

/** Dollars that may be unknown. Unknown is never shown as zero. */
export function MoneyOrUnknown({ amount, signed }: { readonly amount: DecimalText | null; readonly signed?: boolean }) {
  return amount === null ? <span class="muted">unknown</span> : <Money amount={amount} signed={signed ?? false} />;
}

export function Quantity({ amount }: { readonly amount: DecimalText }) {
  return <span class="amount">{quantity(amount)}</span>;
}
