import { useState } from 'preact/hooks';
import type { BooksSettings } from '../../api/settings.ts';
import { accountTypeNames } from './names.ts';
import { SettingsChange } from './settings-change.tsx';

type WashType = BooksSettings['washAccounts'][number];
const types: readonly WashType[] = ['ira', 'roth_ira', 'hsa', '401k', 'spouse'];

/** Other accounts in which a purchase turns the taxpayer's loss into a wash sale. */
export function WashAccounts({ settings }: { readonly settings: BooksSettings }) {
  const now = settings.washAccounts;
  const [chosen, setChosen] = useState<readonly WashType[] | null>(null);
  const shown = chosen ?? now;
  const choose = (type: WashType, isOn: boolean) => {
    const next = types.filter((each) => (each === type ? isOn : shown.includes(each)));
    setChosen(next.length === now.length && next.every((each) => now.includes(each)) ? null : next);
  };
  return (
    <div class="election">
      <div>
        <h3 id="wash-accounts">Other accounts</h3>
        <p class="fine">
          Purchases in these accounts also disallow losses in your taxable accounts. In a retirement account, the loss
          is permanently lost.
        </p>
      </div>
      <fieldset class="checks" aria-labelledby="wash-accounts">
        {types.map((type) => (
          <label key={type}>
            <input
              type="checkbox"
              checked={shown.includes(type)}
              onChange={(event) => choose(type, event.currentTarget.checked)}
            />
            {accountTypeNames[type]}
          </label>
        ))}
      </fieldset>
      {chosen !== null && (
        <SettingsChange
          patch={{ washAccounts: [...chosen] }}
          said="Wash sale accounts saved."
          onClose={() => setChosen(null)}
        />
      )}
    </div>
  );
}
