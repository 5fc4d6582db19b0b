import type { ComponentChildren } from 'preact';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { quantity } from '../../format/amounts.ts';
import { day } from '../../format/dates.ts';
import { entryOfBox, entryOfCode } from '../../format/help-entries.ts';
import { termName } from '../../format/terms.ts';
import { Money } from '../amount.tsx';
import { Drawer } from '../drawer.tsx';
import { HelpTerm } from '../help-term.tsx';
import { ProblemNotice } from '../problem-notice.tsx';
import { Waiting } from '../resource-view.tsx';
import { Notes } from '../sign-off/notes.tsx';
import { Table } from '../tables/table.tsx';
import { type LineExplanation, readExplanation } from './explanation.ts';
import { LotSlices } from './lot-slices.tsx';
import { SourceRows } from './source-rows.tsx';
import { Steps } from './steps.tsx';

interface ExplainPanelProps {
  /** The id of the entry. */
  readonly id: string;
  readonly onClose: () => void;
  /** The URL of another entry, by its id. */
  readonly hrefOf: (id: string) => string;
  readonly actions?: ComponentChildren;
}

/** Explains a Form 8949 entry: its sum, each column with the law, and the source rows. */
export function ExplainPanel({ id, onClose, hrefOf, actions }: ExplainPanelProps) {
  const { data, problem } = useResource(`explain ${id}`, () => readExplanation(id));
  const title = data === undefined ? 'This entry' : renderTitle(data.disposal);
  return (
    <Drawer title={title} label="How this was calculated" onClose={onClose} actions={actions}>
      {problem?.code === 'not_found' && <p>This entry no longer exists. A later import or answer changed it.</p>}
      {problem !== null && problem.code !== 'not_found' && <ProblemNotice problem={problem} />}
      {data === undefined && problem === null && <Waiting lines={8} />}
      {data !== undefined && problem === null && <Explained explanation={data} hrefOf={hrefOf} />}
    </Drawer>
  );
}

function renderTitle({ quantity: units, asset, sold }: LineExplanation['disposal']): ComponentChildren {
  return (
    <>
      <span class="amount">{quantity(units)}</span> {asset}, {day(sold)}
    </>
  );
}

type ExplainedProps = Pick<ExplainPanelProps, 'hrefOf'> & { readonly explanation: LineExplanation };

function Explained({ explanation, hrefOf }: ExplainedProps) {
  const { disposal, steps, sources, washSales } = explanation;
  return (
    <>
      <p class="fine">
        {disposal.assetName !== undefined && `${disposal.assetName}, `}
        {disposal.account},{' '}
        <HelpTerm entry={disposal.term === 'long' ? 'long-term' : 'short-term'}>{termName(disposal.term)}</HelpTerm>,{' '}
        <HelpTerm entry={entryOfBox[disposal.box]}>box {disposal.box}</HelpTerm>
      </p>
      <GainSum disposal={disposal} />
      <Notes year={Number(disposal.sold.slice(0, 4))} disposal={disposal.id} />
      <section>
        <h3>By column</h3>
        <Steps steps={steps} isBasisMissing={disposal.basisUnknown === true} />
      </section>
      {washSales.length > 0 && <WashSales explanation={explanation} />}
      <LotSlices disposal={disposal} hrefOf={hrefOf} />
      <section>
        <h3>Source</h3>
        <SourceRows sources={sources} />
      </section>
    </>
  );
}

/** Proceeds minus basis plus adjustment. */
function GainSum({ disposal }: { readonly disposal: LineExplanation['disposal'] }) {
  const { proceeds, basis, basisUnknown, adjustment, code, gain } = disposal;
  return (
    <table class="sum">
      <caption class="visually-hidden">Gain or loss of this entry</caption>
      <tbody>
        <tr>
          <th scope="row">
            <HelpTerm entry="proceeds">Proceeds</HelpTerm>
          </th>
          <td class="number">
            <Money amount={proceeds} />
          </td>
        </tr>
        <tr>
          <th scope="row">
            − <HelpTerm entry="cost-basis">Cost basis</HelpTerm>
          </th>
          <td class="number">{basisUnknown ? <span class="warning">Missing</span> : <Money amount={basis} />}</td>
        </tr>
        {code !== '' && (
          <tr>
            <th scope="row">
              + Adjustment, <HelpTerm entry={entryOfCode(code)}>code {code}</HelpTerm>
            </th>
            <td class="number">
              <Money amount={adjustment} />
            </td>
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Gain or loss{basisUnknown && ', with a cost of $0'}</th>
          <td class="number">
            <Money amount={gain} signed />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

function WashSales({ explanation: { washSales, sources } }: { readonly explanation: LineExplanation }) {
  const boughtOn = (row: string) => sources.find(({ transactionId }) => transactionId === row)?.day;
  return (
    <section>
      <h3>
        <HelpTerm entry="wash-sale">Wash sales</HelpTerm>
      </h3>
      <Table
        label="Wash sales"
        rows={washSales}
        keyOf={({ replacementLotId }) => replacementLotId}
        columns={[
          {
            head: 'Replaced by',
            cell: ({ replacementTransactionId, permanent }) => (
              <>
                <a href={to('/transactions', { ids: replacementTransactionId })}>
                  Purchase on {day(boughtOn(replacementTransactionId) ?? 'another day')}
                </a>
                <p class="fine">
                  {permanent
                    ? 'In a retirement account: the loss is permanently disallowed.'
                    : 'The loss is added to its basis.'}
                </p>
              </>
            ),
          },
          { head: 'Quantity', kind: 'quantity', cell: (sale) => sale.quantity },
          { head: 'Disallowed loss', kind: 'money', cell: ({ disallowed }) => disallowed },
        ]}
      />
    </section>
  );
}
