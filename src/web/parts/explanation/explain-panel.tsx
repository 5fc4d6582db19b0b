import type { ComponentChildren } from 'preact';
import { api, type DataOf, useApi } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { quantity } from '../../format/amounts.ts';
import { acquiredDay, day, withDays } from '../../format/dates.ts';
import { entryOfBox, entryOfCode } from '../../format/help-entries.ts';
import { termName } from '../../format/methods.ts';
import { typeName } from '../../format/words.ts';
import { Money, Price, Quantity, StatedAmount } from '../amount.tsx';
import { Drawer } from '../dialog.tsx';
import { HelpTerm } from '../help-term.tsx';
import { ProblemNotice, Waiting } from '../page.tsx';
import { Notes } from '../sign-off/sign-off-bar.tsx';
import { Table } from '../tables/table.tsx';

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
  const { data, problem } = useApi(`explain ${id}`, () => api.tax.disposals({ id }).explain.get());
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
        <SumRow value={<Money amount={proceeds} />}>
          <HelpTerm entry="proceeds">Proceeds</HelpTerm>
        </SumRow>
        <SumRow value={basisUnknown ? <span class="warning">Missing</span> : <Money amount={basis} />}>
          − <HelpTerm entry="cost-basis">Cost basis</HelpTerm>
        </SumRow>
        {code !== '' && (
          <SumRow value={<Money amount={adjustment} />}>
            + Adjustment, <HelpTerm entry={entryOfCode(code)}>code {code}</HelpTerm>
          </SumRow>
        )}
      </tbody>
      <tfoot>
        <SumRow value={<Money amount={gain} signed />}>Gain or loss{basisUnknown && ', with a cost of $0'}</SumRow>
      </tfoot>
    </table>
  );
}

function SumRow({ value, children }: Readonly<{ value: ComponentChildren; children: ComponentChildren }>) {
  return (
    <tr>
      <th scope="row">{children}</th>
      <td class="number">{value}</td>
    </tr>
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
            cell: ({ replacementTransactionId: id }) => (
              <a href={to('/transactions', { ids: id })}>Purchase on {day(boughtOn(id) ?? 'another day')}</a>
            ),
            note: ({ permanent }) =>
              permanent
                ? 'In a retirement account: the loss is permanently disallowed.'
                : 'The loss is added to its basis.',
          },
          { head: 'Quantity', kind: 'quantity', cell: (sale) => sale.quantity },
          { head: 'Disallowed loss', kind: 'money', cell: ({ disallowed }) => disallowed },
        ]}
      />
    </section>
  );
}

/** Each column of the entry: its value, the reason, its parts, and the law. */
function Steps({ steps, isBasisMissing }: Readonly<{ steps: readonly ExplainedStep[]; isBasisMissing: boolean }>) {
  return (
    <ol class="steps">
      {steps.map((step) => (
        <li key={step.column}>
          <h4>
            <span>
              {columnNames[step.column] ?? step.column}{' '}
              {step.column.startsWith('(') && <span class="muted">{step.column}</span>}
            </span>
            <span>
              {step.column === '(e)' && isBasisMissing ? <span class="warning">Missing</span> : shownValue(step)}
            </span>
          </h4>
          <p>{withDays(step.text)}</p>
          {step.parts.length > 1 && step.column !== '(h)' && <StepParts parts={step.parts} />}
          {step.citations.length > 0 && (
            <p class="fine rule">
              <span class="visually-hidden">The rule: </span>
              {step.citations.join(' · ')}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

function StepParts({ parts }: Pick<ExplainedStep, 'parts'>) {
  return (
    <table class="step-parts">
      <caption class="visually-hidden">Parts of this amount</caption>
      <tbody>
        {parts.map(({ text, amount }, at) => (
          <SumRow key={at} value={<Money amount={amount} />}>
            {withDays(text)}
          </SumRow>
        ))}
      </tbody>
    </table>
  );
}

const columnNames: Readonly<Record<string, string>> = {
  '(a)': 'Description of property',
  '(b)': 'Date acquired',
  '(c)': 'Date sold',
  '(d)': 'Proceeds',
  '(e)': 'Cost basis',
  '(f), (g)': 'Adjustment',
  '(h)': 'Gain or loss',
  box: 'Form 8949 box',
};

/** Formats dollars and dates, and shows other values unchanged. */
function shownValue({ column, value }: ExplainedStep): ComponentChildren {
  if (/^\([deh]\)$/.test(column)) return <Money amount={value} signed={column === '(h)'} />;
  if (column !== '(f), (g)') return /^\d{4}-/.test(value) ? day(value) : value;
  const [amount = '', code = ''] = value.split(' ').reverse();
  return (
    <>
      {code} <Money amount={amount} />
    </>
  );
}

interface LotSlicesProps {
  readonly disposal: LineExplanation['disposal'];
  readonly hrefOf: (id: string) => string;
}

/** The lots in the same sale. Each one has its own entry. */
function LotSlices({ disposal: { id, saleId }, hrefOf }: LotSlicesProps) {
  // Year-end marks and similar disposals have no transaction of their own.
  const row = /^[0-9a-f-]{36}$/.test(saleId) ? saleId : null;
  const { data } = useApi(row === null ? null : `sale ${row}`, () => api.transactions({ id: row ?? '' }).get());
  const slices = data?.disposals.data ?? [];
  if (data === undefined || slices.length < 2) return null;
  return (
    <section>
      <h3>Lots in this sale</h3>
      <p class="fine">
        {data.disposals.count > slices.length
          ? `The first ${slices.length} of ${data.disposals.count} lots that were sold together.`
          : 'These lots were sold together. Each one has its own entry.'}
      </p>
      <Table
        label="Lots in this sale"
        rows={slices}
        keyOf={(slice) => slice.id}
        columns={[
          {
            head: 'Acquired',
            cell: (slice) =>
              slice.id === id ? (
                <>{acquiredDay(slice.acquired)} (this entry)</>
              ) : (
                <a href={hrefOf(slice.id)}>{acquiredDay(slice.acquired)}</a>
              ),
          },
          { head: 'Quantity', kind: 'quantity', cell: (slice) => slice.quantity },
          { head: 'Cost basis', kind: 'money', cell: ({ basis }) => basis },
          { head: 'Gain', kind: 'gain', cell: ({ gain }) => gain },
        ]}
      />
    </section>
  );
}

/** The source rows behind an entry. */
function SourceRows({ sources }: { readonly sources: readonly ExplainedSource[] }) {
  return (
    <ul class="source-rows">
      {sources.map((source) => (
        <li key={`${source.role} ${source.transactionId}`}>
          <h4>
            <span>{roleNames[source.role]}</span>
            <a href={to('/transactions', { ids: source.transactionId })}>Open transaction</a>
          </h4>
          <p>
            {day(source.day)}, {typeName(source.type)}
            {source.quantity !== null && (
              <>
                {' '}
                <Quantity amount={source.quantity} />
              </>
            )}{' '}
            {source.asset}
            {source.amount !== null && (
              <>
                {' '}
                for <StatedAmount amount={source.amount} currency={source.currency} />
              </>
            )}
            {source.fee !== null && (
              <>
                , fee <StatedAmount amount={source.fee} currency={source.currency} />
              </>
            )}
            , {source.account}
          </p>
          <Origin source={source} />
          {source.prices.map((price) => (
            <p key={`${price.figure} ${price.asset}`} class="fine">
              Valued at the {price.asset} price on {day(price.date)}: <Price amount={price.usd} />, from{' '}
              {price.source === 'own' ? 'your prices' : price.source}.
            </p>
          ))}
          {source.answers.map((answer, at) => (
            <p key={at} class="fine">
              Your answer: {answerNames[answer.action]}
              {answer.note !== '' && `, “${answer.note}”`}.
            </p>
          ))}
        </li>
      ))}
    </ul>
  );
}

/** The file and the line, with its text. */
function Origin({ source: { file, line, raw, corrected } }: { readonly source: ExplainedSource }) {
  if (file === null) return <p class="fine">Entered manually.</p>;
  return (
    <>
      <p class="fine">
        {file}
        {line !== null && `, line ${line}`}
        {corrected && '. You corrected this row: the correction counts, not this text.'}
      </p>
      {raw !== null && <pre class="source-text amount">{raw}</pre>}
    </>
  );
}

const roleNames: Readonly<Record<ExplainedSource['role'], string>> = {
  disposal: 'The sale',
  lot: 'The purchase of the lot',
  change: 'A change to the lot',
  option: 'The option that was exercised or assigned',
  short: 'The short sale',
  denied: 'The sale whose loss was added to the basis',
  replacement: 'The purchase that disallows the loss',
};

const answerNames: Readonly<Record<ExplainedSource['answers'][number]['action'], string>> = {
  basis: 'the cost',
  pair: 'transfer',
  value: 'the value',
};

/** The explanation of a Form 8949 entry. */
type LineExplanation = DataOf<ReturnType<typeof api.tax.disposals>['explain']['get']>;
type ExplainedStep = LineExplanation['steps'][number];
type ExplainedSource = LineExplanation['sources'][number];
