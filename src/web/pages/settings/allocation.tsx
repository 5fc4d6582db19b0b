import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { AllocationRule } from '../../../features/allocation/shares.ts';
import { to } from '../../api/acting.ts';
import { useDraft } from '../../api/draft.ts';
import { useResource } from '../../api/resource.ts';
import { isZero } from '../../format/amounts.ts';
import { day } from '../../format/dates.ts';
import { methodNames } from '../../format/methods.ts';
import { Quantity } from '../../parts/amount.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAct } from '../../parts/use-act.ts';
import { type AllocationChoice, type AllocationView, freezeAllocation, readAllocation } from './allocation-view.ts';
import { FrozenAllocation } from './frozen-allocation.tsx';
import { optionsOf } from './names.ts';
import { choiceOf, sharesOf, type TypedShares, UnitShares } from './unit-shares.tsx';
import { WalletLots } from './wallet-lots.tsx';

const ruleNames: Readonly<Record<AllocationRule, string>> = {
  FIFO: methodNames.FIFO,
  LIFO: methodNames.LIFO,
  HIFO: methodNames.HIFO,
  LOFO: methodNames.LOFO,
};

/** Where the basis of the pool of all wallets goes at the beginning of 2025. */
export function Allocation() {
  const { query } = useLocation();
  const rule = (Object.keys(ruleNames) as AllocationRule[]).find((each) => each === query.rule) ?? 'FIFO';
  return (
    <ResourceView reading={useResource(`allocation ${rule}`, () => readAllocation(rule))}>
      {(found) => {
        if (found.frozen !== null) return <FrozenAllocation frozen={found.frozen} />;
        if (found.scope === 'per_wallet') return <NotNeeded />;
        return <Proposal key={rule} found={found} rule={rule} />;
      }}
    </ResourceView>
  );
}

function NotNeeded() {
  return (
    <section class="card">
      <h2>Nothing to allocate</h2>
      <p>
        In your books each wallet had lots of its own before 2025 too, so every coin has its basis where it is. Only who
        used one pool for all wallets allocates it.
      </p>
      <p>
        You used one pool? <a href={to('/settings/elections')}>Elect it</a>, and the proposal stands here.
      </p>
    </section>
  );
}

const byUnit = 'unit';

function Proposal({ found, rule }: { readonly found: AllocationView; readonly rule: AllocationRule }) {
  const { query, route } = useLocation();
  const isByUnit = query.by === byUnit;
  const [typed, setTyped] = useDraft<TypedShares>('shares of the allocation', sharesOf(found));
  return (
    <>
      <section class="card">
        <h2>The proposal as of {day(found.asOf)}</h2>
        <p>
          Every unit of the pool, with its cost and day of purchase, goes to a wallet that held a unit. From then on a
          sale takes lots of its own wallet only, so the rule decides your gains of later years.
        </p>
        <Choice<AllocationRule | typeof byUnit>
          label="Which units are allocated first, wallet by wallet in the order of their names"
          value={isByUnit ? byUnit : rule}
          options={[...optionsOf(ruleNames), { value: byUnit, label: 'Unit by unit, as you state it' }]}
          onChange={(chosen) =>
            route(to('/settings/allocation', chosen === byUnit ? { rule, by: byUnit } : { rule: chosen }), true)
          }
        />
        {isByUnit && <p class="fine">It begins with the proposal. The wallets of a lot come to all its units.</p>}
      </section>
      {found.assets.length === 0 && (
        <section class="card">
          <h2>No coin was held at the end of 2024</h2>
          <p>There is nothing to allocate.</p>
        </section>
      )}
      {found.assets.map((asset) => (
        <AssetShares key={asset.asset} asset={asset}>
          {isByUnit && <UnitShares asset={asset} typed={typed} onChange={setTyped} />}
        </AssetShares>
      ))}
      {found.assets.length > 0 && <FreezeForm choice={isByUnit ? choiceOf(found, typed) : { rule }} />}
    </>
  );
}

interface AssetSharesProps {
  readonly asset: AllocationView['assets'][number];
  /** In the place of the proposal: the shares as they are typed. */
  readonly children: ComponentChildren;
}

function AssetShares({ asset, children }: AssetSharesProps) {
  const { asset: name, units, difference, firstUse, lots } = asset;
  const rows = lots.flatMap((lot) =>
    lot.wallets.map((share) => ({ ...share, lotId: lot.lotId, acquired: lot.acquired })),
  );
  return (
    <section class="card">
      <h2>
        {name}: <Quantity amount={units} />
      </h2>
      {!isZero(difference) && (
        <div class="notice">
          <Icon name="warning" />
          <div>
            <p>
              The lots and the wallets differ by <Quantity amount={difference} />: a purchase or a transfer is missing.
              Import it before you freeze.
            </p>
          </div>
        </div>
      )}
      {firstUse !== null && (
        <p class="fine">Sold or moved first after 2024 on {day(firstUse)}. The allocation had to be made before.</p>
      )}
      {children || <WalletLots label={`The wallets of ${name}`} lots={rows} />}
    </section>
  );
}

function FreezeForm({ choice }: { readonly choice: AllocationChoice }) {
  const [booksMadeOn, setBooksMadeOn] = useState('');
  const [isUnderstood, setUnderstood] = useState(false);
  const { act, problem, isBusy, problemOfField } = useAct();
  const freeze = async () => {
    await freezeAllocation(choice, booksMadeOn);
    say('The allocation is frozen, and the books follow it.');
  };
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        if (isUnderstood) void act(freeze);
      }}
    >
      <h2>Freeze it</h2>
      <p>
        The allocation is stored with its time and a hash, and the books of 2025 begin with it. By law it cannot be
        taken back.
      </p>
      {problem !== null && <ProblemNotice problem={problem} />}
      <div class="fields">
        <Field
          label="Your own books made it on (optional)"
          type="date"
          value={booksMadeOn}
          onInput={setBooksMadeOn}
          problem={problemOfField('booksMadeOn')}
          hint="Made before January 1, 2025, it is the safe harbor. Made now, it is a record only."
        />
      </div>
      <fieldset class="checks">
        <label>
          <input
            type="checkbox"
            checked={isUnderstood}
            onChange={(event) => setUnderstood(event.currentTarget.checked)}
          />
          I have read it, and know that it is final
        </label>
      </fieldset>
      <p class="actions">
        <OwnBooks isSaid>
          <button type="submit" class="primary" disabled={isBusy || !isUnderstood}>
            Freeze the allocation
          </button>
        </OwnBooks>
      </p>
    </form>
  );
}
