import { moment } from '../../format/dates.ts';
import { Notice } from '../../parts/notice.tsx';
import type { AllocationView } from './allocation-view.ts';
import { WalletLots } from './wallet-lots.tsx';

/** The finalized allocation, with the statement for the records. */
export function FrozenAllocation({ frozen }: { readonly frozen: NonNullable<AllocationView['frozen']> }) {
  return (
    <section class="card">
      <h2>The allocation is final</h2>
      {frozen.stale && (
        <Notice>
          <p>Your records for 2024 or earlier have changed since. The allocation stays as you finalized it.</p>
        </Notice>
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
    </section>
  );
}
