import type { ComponentChildren } from 'preact';
import { to } from '../../api/acting.ts';
import { useResource } from '../../api/resource.ts';
import { quantity } from '../../format/amounts.ts';
import { termName } from '../../format/boxes.ts';
import { day } from '../../format/dates.ts';
import { Money } from '../amount.tsx';
import { Drawer } from '../drawer.tsx';
import { ProblemNotice } from '../problem-notice.tsx';
import { Waiting } from '../resource-view.tsx';
import { Notes } from '../review/notes.tsx';
import { Scroll } from '../scroll.tsx';
import { TableHead } from '../table-head.tsx';
import { type LineExplanation, readExplanation } from './explanation.ts';
import { LotSlices } from './lot-slices.tsx';
import { SourceRows } from './source-rows.tsx';
import { Steps } from './steps.tsx';

interface ExplainPanelProps {
  /** Of the line. */
  readonly id: string;
  readonly onClose: () => void;
  /** Where another line is shown, by its id. */
  readonly hrefOf: (id: string) => string;
  readonly actions?: ComponentChildren;
}

/** How a line of Form 8949 came about: its sum, each column with the law, the rows of the files. */
export function ExplainPanel({ id, onClose, hrefOf, actions }: ExplainPanelProps) {
  const { data, problem } = useResource(`explain ${id}`, () => readExplanation(id));
  const title = data === undefined ? 'This line' : titleOf(data.disposal);
  return (
    <Drawer title={title} label="How this line came about" onClose={onClose} actions={actions}>
      {problem?.code === 'not_found' && (
        <p>This line is not in the books any more: a later import or answer changed it. Close this to see the lines.</p>
      )}
      {problem !== null && problem.code !== 'not_found' && <ProblemNotice problem={problem} />}
      {data === undefined && problem === null && <Waiting lines={8} />}
      {data !== undefined && problem === null && <Explained explanation={data} hrefOf={hrefOf} />}
    </Drawer>
  );
}

function titleOf({ quantity: units, asset, sold }: LineExplanation['disposal']): ComponentChildren {
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
        {disposal.account}, {termName(disposal.term)}, box {disposal.box}
      </p>
      <GainSum disposal={disposal} />
      <Notes year={Number(disposal.sold.slice(0, 4))} disposal={disposal.id} />
      <section>
        <h3>Column by column</h3>
        <Steps steps={steps} />
      </section>
      {washSales.length > 0 && <WashSales explanation={explanation} />}
      <LotSlices disposal={disposal} hrefOf={hrefOf} />
      <section>
        <h3>Where it comes from</h3>
        <SourceRows sources={sources} />
      </section>
    </>
  );
}

/** Proceeds less basis plus adjustment. */
function GainSum({ disposal }: { readonly disposal: LineExplanation['disposal'] }) {
  const { proceeds, basis, adjustment, code, gain } = disposal;
  return (
    <table class="sum">
      <caption class="visually-hidden">The gain or loss of this line</caption>
      <tbody>
        <tr>
          <th scope="row">Proceeds</th>
          <td class="number">
            <Money amount={proceeds} />
          </td>
        </tr>
        <tr>
          <th scope="row">− Cost basis</th>
          <td class="number">
            <Money amount={basis} />
          </td>
        </tr>
        {code !== '' && (
          <tr>
            <th scope="row">+ Adjustment, code {code}</th>
            <td class="number">
              <Money amount={adjustment} />
            </td>
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Gain or loss</th>
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
      <h3>Wash sales</h3>
      <Scroll label="Wash sales">
        <table>
          <TableHead columns={['Replaced by', { number: 'Units' }, { number: 'Loss not allowed' }]} />
          <tbody>
            {washSales.map(({ replacementLotId, replacementTransactionId, quantity: units, disallowed, permanent }) => (
              <tr key={replacementLotId}>
                <th scope="row">
                  <a href={to('/transactions', { ids: replacementTransactionId })}>
                    A purchase of {day(boughtOn(replacementTransactionId) ?? 'another day')}
                  </a>
                  <p class="fine">
                    {permanent ? 'In a retirement account: the loss is gone.' : 'The loss is added to its basis.'}
                  </p>
                </th>
                <td class="number">
                  <span class="amount">{quantity(units)}</span>
                </td>
                <td class="number">
                  <Money amount={disallowed} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}
