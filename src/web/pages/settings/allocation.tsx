import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { parseTypedQuantity } from '../../../base/typed.ts';
import type { AllocationRule } from '../../../features/ledger/allocation/shares.ts';
import { api, type DataOf, useApi, write } from '../../api/api.ts';
import { useDraft } from '../../api/draft.ts';
import { to } from '../../api/page-url.ts';
import { say } from '../../api/toasts.ts';
import { isZero } from '../../format/amounts.ts';
import { day, moment } from '../../format/dates.ts';
import { methodNames } from '../../format/methods.ts';
import { Quantity } from '../../parts/amount.tsx';
import { Choice, toOptions } from '../../parts/field.tsx';
import { Form, filled } from '../../parts/form.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import { Card, Notice, ResourceView } from '../../parts/page.tsx';
import { type ColumnSpec, Table } from '../../parts/tables/table.tsx';

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
    <ResourceView reading={useApi(`allocation ${rule}`, () => api.tax.allocation.get({ query: { rule } }))}>
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
    <Card title="Nothing to allocate">
      <p>
        Your wallets had separate lots before 2025 as well, so their cost basis is already in place. An allocation is
        only for taxpayers who used the universal method.
      </p>
      <p>
        Did you use the universal method? <a href={to('/settings/elections')}>Choose it</a> to see the proposed
        allocation.
      </p>
    </Card>
  );
}

const byUnit = 'unit';

function Proposal({ found, rule }: { readonly found: AllocationView; readonly rule: AllocationRule }) {
  const { query, route } = useLocation();
  const isByUnit = query.by === byUnit;
  const [typed, setTyped] = useDraft<TypedShares>('shares of the allocation', toTypedShares(found));
  return (
    <>
      <Card title={`Proposed allocation as of ${day(found.asOf)}`}>
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
      </Card>
      {found.assets.length === 0 && (
        <Card title="No crypto was held at the end of 2024">
          <p>There is nothing to allocate.</p>
        </Card>
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
          Lots and wallets don't match by <Quantity amount={difference} />. A purchase or a transfer is missing. Import
          it before you finalize.
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
        const chosen = 'rule' in choice ? choice : { lots: [...choice.lots] };
        await write(api.tax.allocation.post({ ...chosen, ...filled({ booksMadeOn }) }));
        say('Allocation finalized. Your records now use it.');
      }}
    />
  );
}

/** The finalized allocation, with the statement for the records. */
function FrozenAllocation({ frozen }: { readonly frozen: NonNullable<AllocationView['frozen']> }) {
  return (
    <Card title="The allocation is final">
      {frozen.stale && (
        <Notice>Your records for 2024 or earlier have changed since. The allocation stays as you finalized it.</Notice>
      )}
      <dl class="terms">
        <dt>Finalized</dt>
        <dd>{moment(frozen.at)}</dd>
        <dt>Rule</dt>
        <dd>{frozen.rule ?? 'Unit by unit'}</dd>
        <dt>Status</dt>
        <dd>{frozen.standing}</dd>
        <dt>SHA-256</dt>
        <dd>
          <code>{frozen.hash}</code>
        </dd>
      </dl>
      <h3>Statement for your records</h3>
      <p class="statement">{frozen.statement}</p>
      <WalletLots label="The finalized allocation" lots={frozen.lots} />
    </Card>
  );
}

type PooledAsset = AllocationView['assets'][number];
type PooledLotRow = PooledAsset['lots'][number];
/** Entered units by lot and wallet. */
type TypedShares = Readonly<Record<string, string>>;

/** Starts with the proposal, which the user can correct. */
function toTypedShares({ assets }: AllocationView): TypedShares {
  const shares = assets.flatMap(({ lots }) =>
    lots.flatMap((lot) => lot.wallets.map(({ wallet, quantity }) => [keyOf(lot.lotId, wallet), quantity] as const)),
  );
  return Object.fromEntries(shares);
}

/** Returns every unit of every lot with its wallet. */
function buildAllocationChoice({ assets }: AllocationView, typed: TypedShares): AllocationChoice {
  const shares = assets.flatMap(({ lots, wallets }) =>
    lots.flatMap(({ lotId }) =>
      wallets.map(({ wallet }) => ({ lotId, wallet, quantity: toExact(typed[keyOf(lotId, wallet)] ?? '') })),
    ),
  );
  return { lots: shares.filter(({ quantity }) => /[1-9]/.test(quantity)) };
}

interface UnitSharesProps {
  readonly asset: PooledAsset;
  readonly typed: TypedShares;
  readonly onChange: (change: TypedShares) => void;
}

/** Inputs for the units of each lot in each wallet. */
function UnitShares({ asset: { asset, lots, wallets }, typed, onChange }: UnitSharesProps) {
  return (
    <div class="shares">
      <Table
        label={`Units of ${asset}`}
        rows={lots}
        keyOf={({ lotId }) => lotId}
        columns={[
          { head: 'Acquired', kind: 'day', cell: ({ acquired }) => acquired, foot: 'Held at the end of 2024' },
          { head: 'Units', kind: 'quantity', cell: ({ quantity }) => quantity },
          { head: 'Cost basis', kind: 'money', cell: ({ basis }) => basis },
          ...wallets.map(
            ({ wallet, units }): ColumnSpec<PooledLotRow> => ({
              head: wallet,
              foot: <Quantity amount={units} />,
              cell: ({ lotId, acquired }) => (
                <input
                  inputMode="decimal"
                  aria-label={`Units of the ${day(acquired)} lot in ${wallet}`}
                  value={typed[keyOf(lotId, wallet)] ?? ''}
                  onInput={(event) => onChange({ [keyOf(lotId, wallet)]: event.currentTarget.value })}
                />
              ),
            }),
          ),
        ]}
      />
    </div>
  );
}

const keyOf = (lotId: string, wallet: string): string => JSON.stringify([lotId, wallet]);

/** The server refuses a text that is not a number. */
const toExact = (text: string): string => parseTypedQuantity(text) ?? text.trim();

type WalletLot = Omit<FrozenLotRow, 'asset'> & { readonly asset?: string };
type FrozenLotRow = NonNullable<AllocationView['frozen']>['lots'][number];

interface WalletLotsProps {
  readonly label: string;
  /** Shown if the lots belong to more than one asset. */
  readonly lots: readonly WalletLot[];
}

/** The lots that an allocation assigns to each wallet. */
function WalletLots({ label, lots }: WalletLotsProps) {
  const shown = lots.some(({ asset }) => asset !== undefined) ? columns : columns.slice(1);
  return <Table label={label} columns={shown} rows={lots} keyOf={({ lotId, wallet }) => `${lotId} ${wallet}`} />;
}

const columns: readonly ColumnSpec<WalletLot>[] = [
  { head: 'Asset', cell: ({ asset }) => asset },
  { head: 'Wallet', cell: ({ wallet }) => wallet },
  { head: 'Acquired', kind: 'day', cell: ({ acquired }) => acquired },
  { head: 'Units', kind: 'quantity', cell: ({ quantity }) => quantity },
  { head: 'Cost basis', kind: 'money', cell: ({ basis }) => basis },
];

/** The allocation that a rule proposes, and the finalized one, if any. */
type AllocationView = DataOf<typeof api.tax.allocation.get>;

/** The allocation to finalize: a rule, or every unit of every lot with its wallet. */
type AllocationChoice =
  | { readonly rule: AllocationRule }
  | { readonly lots: readonly { readonly lotId: string; readonly wallet: string; readonly quantity: string }[] };
