import { useState } from 'preact/hooks';
import { api, type DataOf, unwrapResponse } from '../api/api.ts';
import { useDraft } from '../api/draft.ts';
import { to } from '../api/page-url.ts';
import { sayProblem } from '../api/toasts.ts';
import { formTabs } from '../destinations.ts';
import { formatCount, money } from '../format/amounts.ts';
import { day } from '../format/dates.ts';
import { Money } from '../parts/amount.tsx';
import { Button, Icon, useAction } from '../parts/button.tsx';
import { Choice } from '../parts/field.tsx';
import { DownloadButton } from '../parts/files/download-button.tsx';
import { Fields, Form } from '../parts/form.tsx';
import { HelpTerm } from '../parts/help-term.tsx';
import { Card, Empty, Notice, Tabs } from '../parts/page.tsx';
import { Table } from '../parts/tables/table.tsx';
import { YearPage } from '../parts/year-page.tsx';
import { findCurrentReport } from './reports/reports-data.ts';

/** Compares a CP2000 notice with the year, and writes the answer. The notice stays in this tab. */
export default function IrsNotice() {
  return (
    <YearPage
      title="IRS notice"
      lead="Answer a CP2000 notice about sales of stocks, funds or digital assets."
      tabs={<Tabs label="Forms" tabs={formTabs} />}
      empty={<Empty title="No forms yet">Once your sales are in, you can answer an IRS notice here.</Empty>}
    >
      {(year) => <NoticeAnswer key={year} year={year} />}
    </YearPage>
  );
}

interface TypedLine {
  readonly payer: string;
  readonly description: string;
  readonly proceeds: string;
  readonly basis: string;
  /** The id of the chosen sale, `none`, or empty. */
  readonly sale: string;
  readonly agrees: 'yes' | 'no' | '';
}

const emptyLine: TypedLine = { payer: '', description: '', proceeds: '', basis: '', sale: '', agrees: '' };
const emptyNotice = { noticeDate: '', responseDue: '', address: '', lines: [emptyLine] as readonly TypedLine[] };
type TypedNotice = typeof emptyNotice;

function toRequest({ lines, ...notice }: TypedNotice) {
  return {
    ...notice,
    lines: lines.map(({ basis, sale, agrees, ...line }) => ({
      ...line,
      basis: basis === '' ? null : basis,
      sale: sale === '' ? null : sale,
      agrees: agrees === '' ? null : agrees === 'yes',
    })),
  };
}

type NoticeResult = DataOf<ReturnType<typeof api.tax.reports>['notice']['post']>;
type ResultLine = NoticeResult['lines'][number];

function NoticeAnswer({ year }: { readonly year: number }) {
  const [notice, change, forget] = useDraft<TypedNotice>(`notice ${year}`, emptyNotice);
  const [result, setResult] = useState<NoticeResult | null>(null);
  const { act } = useAction();
  const edit = (edited: Partial<TypedNotice>) => {
    setResult(null);
    change(edited);
  };
  const compare = async (asked: TypedNotice) => {
    const id = await findCurrentReport(year);
    setResult(await unwrapResponse(api.tax.reports({ id }).notice.post(toRequest(asked))));
  };
  const answer = (index: number, edited: Partial<TypedLine>) => {
    const lines = notice.lines.map((line, at) => (at === index ? { ...line, ...edited } : line));
    change({ lines });
    void act(() => compare({ ...notice, lines }), sayProblem);
  };
  return (
    <>
      <Form
        class="card"
        label="Notice"
        fields={{}}
        verb="Compare with my sales"
        busy="Comparing…"
        onSubmit={() => compare(notice)}
      >
        <NoticeFields notice={notice} edit={edit} />
      </Form>
      {result !== null && (
        <>
          <Comparison year={year} notice={notice} result={result} answer={answer} />
          <Answer year={year} notice={notice} result={result} />
        </>
      )}
      <p class="actions">
        <Button
          class="plain"
          icon="remove"
          label="Clear the notice"
          onClick={() => {
            setResult(null);
            forget();
          }}
        />
      </p>
    </>
  );
}

interface NoticeFieldsProps {
  readonly notice: TypedNotice;
  readonly edit: (edited: Partial<TypedNotice>) => void;
}

function NoticeFields({ notice, edit }: NoticeFieldsProps) {
  const { noticeDate, responseDue, address, lines } = notice;
  const editLine = (index: number, edited: Partial<TypedLine>) =>
    edit({ lines: lines.map((line, at) => (at === index ? { ...line, ...edited, sale: '', agrees: '' } : line)) });
  return (
    <>
      <p>
        Enter each sale as the <HelpTerm entry="cp2000">CP2000 notice</HelpTerm> lists it. Nothing is stored: the notice
        stays in this tab until you close it.
      </p>
      <Fields
        fields={{
          noticeDate: { label: 'Notice date', type: 'date', value: noticeDate, isRequired: true },
          responseDue: { label: 'Response due', type: 'date', value: responseDue, isRequired: true },
          address: {
            label: 'Your address for the letter',
            value: address,
            rows: 3,
            maxLength: 400,
            hint: 'Optional. You can write it by hand.',
          },
        }}
        onInput={(name, value) => edit({ [name]: value })}
      />
      {lines.map((line, index) => (
        <fieldset key={index} class="choices">
          <legend>Line {index + 1}</legend>
          <Fields
            fields={{
              payer: { label: 'Payer', value: line.payer, isRequired: true, maxLength: 200 },
              description: {
                label: 'Security',
                value: line.description,
                maxLength: 200,
                hint: 'As in the notice. Leave it blank if the notice names only the payer.',
              },
              proceeds: { label: 'Proceeds', type: 'money', value: line.proceeds, isRequired: true },
              basis: { label: 'Cost basis', type: 'money', value: line.basis, hint: 'Only if the notice shows one.' },
            }}
            onInput={(name, value) => editLine(index, { [name]: value })}
          />
          {lines.length > 1 && (
            <p class="actions">
              <Button
                class="plain"
                icon="remove"
                label={`Remove line ${index + 1}`}
                onClick={() => edit({ lines: lines.toSpliced(index, 1) })}
              />
            </p>
          )}
        </fieldset>
      ))}
      <p class="actions">
        <Button icon="add" label="Add a line" onClick={() => edit({ lines: [...lines, emptyLine] })} />
      </p>
    </>
  );
}

interface ComparisonProps {
  readonly year: number;
  readonly notice: TypedNotice;
  readonly result: NoticeResult;
  readonly answer: (index: number, edited: Partial<TypedLine>) => void;
}

/** Each line of the notice with its sale, the difference, and the question if it is open. */
function Comparison({ year, notice, result, answer }: ComparisonProps) {
  return (
    <Card title="Line by line">
      <ul class="desk">
        {result.lines.map((line, index) => (
          <li key={index}>
            <div>
              <h3>
                Line {index + 1}:{' '}
                {[notice.lines[index]?.payer, notice.lines[index]?.description].filter(Boolean).join(', ')}
              </h3>
              <p class={line.position === 'undecided' ? 'finding asks' : 'finding'}>
                <Icon name={line.position === 'undecided' ? 'questions' : 'check'} />{' '}
                {positionWords[line.state][line.position]}
              </p>
              <p class="fine">
                {line.reason} {line.match?.reason}
              </p>
              <SaleChoice
                line={line}
                typed={notice.lines[index] ?? emptyLine}
                answer={(edited) => answer(index, edited)}
              />
            </div>
            {line.match !== null && <MatchTable year={year} line={line} match={line.match} />}
          </li>
        ))}
      </ul>
    </Card>
  );
}

const needsAnswer = { agree: '', disagree: '', undecided: 'Needs your answer' };
const positionWords: Readonly<Record<ResultLine['state'], Readonly<Record<ResultLine['position'], string>>>> = {
  matched: { ...needsAnswer, agree: 'You agree: the gain is the same.', disagree: 'You disagree: the gain differs.' },
  none: { ...needsAnswer, agree: 'You agree: it is missing.', disagree: 'You disagree: it is not your sale.' },
  open: needsAnswer,
};

interface SaleChoiceProps {
  readonly line: ResultLine;
  readonly typed: TypedLine;
  readonly answer: (edited: Partial<TypedLine>) => void;
}

function SaleChoice({ line, typed, answer }: SaleChoiceProps) {
  return (
    <div class="fields">
      <Choice
        label="Your sale"
        value={typed.sale}
        options={[
          {
            value: '',
            label: line.state === 'matched' && typed.sale === '' ? 'Matched automatically' : 'Choose a sale',
          },
          ...line.candidates.map((candidate) => ({ value: candidate.id, label: describeCandidate(candidate) })),
          { value: 'none', label: 'None of my sales' },
        ]}
        onChange={(sale) => answer({ sale, agrees: '' })}
      />
      {line.state === 'none' && (
        <Choice
          label="Do you agree with this line?"
          value={typed.agrees}
          options={[
            { value: '', label: 'Not decided' },
            { value: 'yes', label: 'Yes, it is missing from my return' },
            { value: 'no', label: 'No, it is not my sale' },
          ]}
          onChange={(agrees) => answer({ agrees })}
        />
      )}
    </div>
  );
}

function describeCandidate({ kind, account, asset, date, proceeds }: ResultLine['candidates'][number]): string {
  const what = { sale: asset, asset: `All sales of ${asset}`, account: 'All sales' }[kind];
  return `${what}, ${account}${date === null ? '' : `, ${day(date)}`}: ${money(proceeds)}`;
}

interface MatchTableProps {
  readonly year: number;
  readonly line: ResultLine;
  readonly match: NonNullable<ResultLine['match']>;
}

function MatchTable({ year, line, match }: MatchTableProps) {
  const { account, asset, proceeds, basis, adjustment, gain, lines } = match;
  const href = to('/forms/8949', { year, account, ...(asset === '' ? {} : { asset }) });
  const rows = [
    { name: 'Proceeds', amount: proceeds },
    { name: 'Cost basis', amount: basis },
    { name: 'Adjustment', amount: adjustment },
    { name: 'Gain', amount: gain },
    { name: 'Income in the notice', amount: line.proposed },
    { name: 'Difference', amount: line.difference ?? '0.00' },
  ];
  return (
    <div>
      <Table
        label={`${asset === '' ? account : asset} on Form 8949`}
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          { head: 'On Form 8949', cell: ({ name }) => name },
          { head: 'Amount', kind: 'money', cell: ({ amount }) => amount },
        ]}
      />
      <p class="fine">
        <a href={href}>{formatCount(lines, 'entry', 'entries')} on Form 8949</a>
      </p>
    </div>
  );
}

/** The totals and the packet. */
function Answer({ year, notice, result: { totals, provisional, lines } }: Omit<ComparisonProps, 'answer'>) {
  const undecided = lines.filter(({ position }) => position === 'undecided').length;
  return (
    <Card title="Your answer">
      {provisional.map((text) => (
        <Notice key={text}>{text}</Notice>
      ))}
      {undecided > 0 && (
        <Notice>
          {formatCount(undecided, 'line needs', 'lines need')} your answer. Until then, the packet states that it is
          incomplete.
        </Notice>
      )}
      {lines.some(({ state }) => state === 'matched') && (
        <p>
          On the matched lines, the notice counts <Money amount={totals.proposedMatched} /> of income. Your gain is{' '}
          <Money amount={totals.gain} />, a difference of <Money amount={totals.difference} />.
        </p>
      )}
      <p>
        The packet has a letter to sign, a statement of the Form 8949 entries behind each line, and their lots with the
        rows of your files. Enclose the <a href={to('/forms', { year, format: '8949' })}>Form 8949 PDF</a>, and send
        everything to the address or fax number on the notice by {day(notice.responseDue)}.
      </p>
      <p class="actions">
        <DownloadButton
          label="Download the answer (PDF)"
          isPrimary
          pathOf={async () => `/v1/tax/reports/${await findCurrentReport(year)}/notice/download`}
          body={toRequest(notice)}
        />
      </p>
    </Card>
  );
}
