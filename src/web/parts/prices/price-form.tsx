import { savePrice } from '../../api/prices.ts';
import { day } from '../../format/dates.ts';
import { Form } from '../form.tsx';
import { say } from '../toasts.tsx';

interface PriceFormProps {
  /** The user names the asset if it is not given. */
  readonly asset?: string;
  /** The user names the day if it is not given. */
  readonly on?: string;
  /** The default day. */
  readonly date?: string;
  readonly class?: string;
}

/** The form for the price of one unit of an asset on a day. */
export function PriceForm({ asset, on, date = on ?? '', class: name = 'price-form' }: PriceFormProps) {
  const label = asset && `Price of ${asset}${on === undefined ? '' : ` on ${day(on)}`}`;
  return (
    <Form
      class={name}
      {...(label === undefined ? {} : { label })}
      fields={{
        asset: { label: 'Asset', isRequired: true, value: asset ?? '', isHidden: asset !== undefined },
        date: { label: 'Date', type: 'date', isRequired: true, value: date, isHidden: on !== undefined },
        usd: { label: 'Price per unit (USD)', type: 'money', isRequired: true },
      }}
      verb="Save price"
      look=""
      keeps
      onSubmit={async ({ asset: named, ...price }) => {
        const undo = await savePrice({ asset: named.trim(), ...price });
        say(`Price saved: ${named} on ${day(price.date)}.`, undo);
      }}
    />
  );
}
