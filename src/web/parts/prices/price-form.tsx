import { useState } from 'preact/hooks';
import { givePrice } from '../../api/prices.ts';
import { money, plainMoney } from '../../format/amounts.ts';
import { Field } from '../field.tsx';
import { ProblemNotice } from '../problem-notice.tsx';
import { say } from '../toasts.tsx';
import { useAction } from '../use-act.ts';

interface PriceFormProps {
  readonly asset: string;
  /** The default day. */
  readonly date: string;
}

/** The form for the price of one unit of an asset. */
export function PriceForm({ asset, date }: PriceFormProps) {
  const [usd, setUsd] = useState('');
  const [day, setDay] = useState(date);
  const { act, problem, isBusy } = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    void act(async () => {
      const undo = await givePrice({ asset, date: day, usd });
      say(`Price saved: ${money(plainMoney(usd))} per ${asset}.`, undo);
      setUsd('');
    });
  };
  return (
    <form class="price-form" onSubmit={submit} aria-label={`Price of ${asset}`}>
      {problem !== null && <ProblemNotice problem={problem} />}
      <Field label={`Price of one ${asset}, in dollars`} value={usd} onInput={setUsd} inputMode="decimal" isRequired />
      <Field label="On" type="date" value={day} onInput={setDay} isRequired />
      <button type="submit" disabled={isBusy}>
        Save price
      </button>
    </form>
  );
}
