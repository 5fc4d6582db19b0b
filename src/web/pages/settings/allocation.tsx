import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import type { AllocationRule } from '../../../features/ledger/allocation/shares.ts';
import { useDraft } from '../../api/draft.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { isZero } from '../../format/amounts.ts';
import { day } from '../../format/dates.ts';
import { methodNames } from '../../format/methods.ts';
import { Quantity } from '../../parts/amount.tsx';
import { Choice } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import { Notice } from '../../parts/notice.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { say } from '../../parts/toasts.tsx';
import { type AllocationChoice, type AllocationView, freezeAllocation, readAllocation } from './allocation-view.ts';
import { FrozenAllocation } from './frozen-allocation.tsx';
import { toOptions } from './names.ts';
import { buildAllocationChoice, type TypedShares, toTypedShares, UnitShares } from './unit-shares.tsx';
import { WalletLots } from './wallet-lots.tsx';

const ruleNames: Readonly<Record<AllocationRule, string>> = {
  FIFO: methodNames.FIFO,
  LIFO: methodNames.LIFO,
  HIFO: methodNames.HIFO,
  LOFO: methodNames.LOFO,
};

/** Allocates the basis of the universal pool to wallets as of the beginning of 2025. */
export function Allocation() {
  const { query } = useLocation();
  const rule = (Object.keys(ruleNames) as AllocationRule[]).find((each) => each === query.rule) ?? 'FIFO';
  return (
    <ResourceView reading={useResource(`allocation ${rule}`, () => readAllocation(rule))}>
      {(allocation) => {
        if (allocation.frozen !== null) return <FrozenAllocation frozen={allocation.frozen} />;
        if (allocation.scope === 'per_wallet') return <NotNeeded />;
        return <Proposal key={rule} found={allocation} rule={rule} />;
      }}
    </ResourceView>
  );
}

function NotNeeded() {
  return (
    <section class="card">
      <h2>Nothing to allocate</h2>
      <p>
        Your wallets had separate lots before 2025 as well, so their cost basis is already in place. An allocation is
        only for taxpayers who used the universal method.
      </p>
      <p>
        Did you use the universal method? <a href={to('/settings/elections')}>Choose it</a> to see the proposed
        allocation.
      </p>
    </section>
  );
}

const byUnit = 'unit';

function Proposal({ found, rule }: { readonly found: AllocationView; readonly rule: AllocationRule }) {
  const { query, route } = useLocation();
  const isByUnit = query.by === byUnit;
  const [typed, setTyped] = useDraft<TypedShares>('shares of the allocation', toTypedShares(found));
  return (
    <>
      <section class="card">
        <h2>Proposed allocation as of {day(found.asOf)}</h2>
        <p>
          Every unit of the pool, with its cost and purchase date, goes to a wallet that held a unit. From then on, a
          sale uses lots from its own wallet only, so this rule affects your gains in later years.{' '}
          <HelpTerm entry="wallet-allocation">Learn more</HelpTerm>
        </p>
        <Choice<AllocationRule | typeof byUnit>
          label="Units allocated first, wallet by wallet in alphabetical order"
          value={isByUnit ? byUnit : rule}
          options={[...toOptions(ruleNames), { value: byUnit, label: 'Unit by unit, entered by you' }]}
          onChange={(chosen) =>
            route(to('/settings/allocation', chosen === byUnit ? { rule, by: byUnit } : { rule: chosen }), true)
          }
        />
        {isByUnit && <p class="fine">Start from the proposal. The wallets must add up to all units of each lot.</p>}
      </section>
      {found.assets.length === 0 && (
        <section class="card">
          <h2>No crypto was held at the end of 2024</h2>
          <p>There is nothing to allocate.</p>
        </section>
      )}
      {found.assets.map((asset) => (
        <AssetShares key={asset.asset} asset={asset}>
          {isByUnit && <UnitShares asset={asset} typed={typed} onChange={setTyped} />}
        </AssetShares>
      ))}
      {found.assets.length > 0 && <FreezeForm choice={isByUnit ? buildAllocationChoice(found, typed) : { rule }} />}
    </>
  );
}

interface AssetSharesProps {
  readonly asset: AllocationView['assets'][number];
  /** The shares that the user enters, shown instead of the proposal. */
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
        <Notice>
          <p>
            Lots and wallets don't match by <Quantity amount={difference} />. A purchase or a transfer is missing.
            Import it before you finalize.
          </p>
        </Notice>
      )}
      {firstUse !== null && (
        <p class="fine">
          First sold or moved after 2024 on {day(firstUse)}. The allocation had to be made before then.
        </p>
      )}
      {children || <WalletLots label={`Wallets of ${name}`} lots={rows} />}
    </section>
  );
}

function FreezeForm({ choice }: { readonly choice: AllocationChoice }) {
  return (
    <Form
      class="card"
      title="Finalize"
      lead={
        <p>
          We store the allocation with its time and a hash, and your 2025 records start from it. By law it can't be
          undone.
        </p>
      }
      fields={{
        booksMadeOn: {
          label: 'Date your own records made it (optional)',
          type: 'date',
          hint: 'An allocation made before January 1, 2025 qualifies for the safe harbor. One made now is only a record.',
        },
        isUnderstood: { label: "I've read it and understand that it is final", type: 'check' },
      }}
      verb="Finalize allocation"
      busy="Finalizing…"
      keeps
      isReady={({ isUnderstood }) => isUnderstood}
      onSubmit={async ({ booksMadeOn }) => {
        await freezeAllocation(choice, booksMadeOn);
        say('Allocation finalized. Your records now use it.');
      }}
    />
  );
}
