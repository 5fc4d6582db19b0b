import { useEffect, useState } from 'preact/hooks';
import { entryOfIssue } from '../../../features/answers/help/help-links.ts';
import { api, useApi } from '../../api/api.ts';
import { useReadOnly } from '../../api/books.ts';
import { useDraft } from '../../api/draft.ts';
import { clientId, to } from '../../api/page-url.ts';
import { toProblem } from '../../api/problem.ts';
import { say } from '../../api/toasts.ts';
import { formatCount, groupDigits } from '../../format/amounts.ts';
import { browserTimeZone, day, withFormats } from '../../format/dates.ts';
import { typeName } from '../../format/words.ts';
import { Money, Quantity, StatedAmount } from '../../parts/amount.tsx';
import { Button, useAction } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import { ResourceView } from '../../parts/page.tsx';
import { TimeZoneField } from '../../parts/time-zone-field.tsx';
import { type PreviewedYear, YearsPreview } from '../../parts/years-preview.tsx';
import { DifferenceBody, RejectedLineBody } from '../import/rejected-line-card.tsx';
import { type AnswerValues, canTry, type ReviewAnswer, saveAnswer, tryAnswer } from './answers.ts';
import {
  type CauseDetails,
  formatCause,
  formatCauseSize,
  formatStake,
  kindNames,
  type ReviewIssue,
  type ReviewItem,
} from './causes.tsx';

/** A cause with the answers to all of its items at once, and its items. */
export function CauseView({ id, year }: { readonly id: string; readonly year: number | undefined }) {
  const [limit, setLimit] = useState(20);
  const query = { limit, ...(year === undefined ? {} : { year }) };
  const cause = useApi(`cause ${id} ${year} ${limit}`, () => api.tax.issues.causes({ id }).get({ query }));
  return (
    <ResourceView reading={cause}>
      {(data) =>
        data.count === 0 ? null : (
          <>
            <header>
              <h2>{formatCause(data)}</h2>
              <p class="fine">
                {formatCauseSize(data) !== '' && `${formatCauseSize(data)} · `}
                {formatStake(data)}
              </p>
            </header>
            {data.answers.length > 0 && (
              <AnswersList label={`Answers to all ${formatCount(data.count, 'item')}`} answers={data.answers} />
            )}
            {data.items.length === 1 ? (
              data.items.map((item) => <ItemView key={keyOf(item)} item={item} isFirst />)
            ) : (
              <ItemList cause={data} />
            )}
            {data.count > data.items.length && (
              <Button label="Show more" onClick={() => setLimit(Math.min(1_000, limit + 100))} />
            )}
          </>
        )
      }
    </ResourceView>
  );
}

/** The items by date. Each opens with the answers that the cause does not have. */
function ItemList({ cause: { items, answers, kind, reason } }: { readonly cause: CauseDetails }) {
  const [open, setOpen] = useState<string | null>(null);
  const what =
    reason === 'prices' ? 'enter its price' : costKinds.has(kind) ? 'enter its cost' : 'answer only that one';
  return (
    <>
      {answers.length > 0 && <p class="fine">Open an item to {what}.</p>}
      <ul class="cause-items" aria-label="Items">
        {items.map((item) => {
          const key = keyOf(item);
          return (
            <li key={key}>
              <button
                type="button"
                class="plain"
                aria-expanded={open === key}
                onClick={() => setOpen(open === key ? null : key)}
              >
                <span>{formatItem(item)}</span>
                {item.dollars !== null && <Money amount={item.dollars} />}
              </button>
              {open === key && <ItemView item={item} isFirst={answers.length === 0} without={answers} />}
            </li>
          );
        })}
      </ul>
    </>
  );
}

const costKinds: ReadonlySet<CauseDetails['kind']> = new Set(['oversold', 'basis_missing']);

const keyOf = ({ issues }: ReviewItem): string => issues[0]?.id ?? '';

function formatItem({ issues, rejectId }: ReviewItem): string {
  const [issue] = issues;
  if (issue === undefined) return '';
  if (rejectId !== null) return withFormats(issue.detail);
  const price = issue.answers.find(({ operation, fields }) => operation === 'createPrices' && fields.length > 0);
  if (price !== undefined) return withFormats(price.detail);
  return [day(issue.date), issue.asset, issue.account].filter(Boolean).join(' · ');
}

interface ItemViewProps {
  readonly item: ReviewItem;
  /** Its first answer is the likeliest on the page. */
  readonly isFirst: boolean;
  /** Answers of the cause, which the item does not repeat. */
  readonly without?: readonly ReviewAnswer[];
}

/** What is unknown about a transaction or a row of a file, where it comes from, and the answers. */
function ItemView({ item, isFirst, without = [] }: ItemViewProps) {
  const { issues, rejectId } = item;
  const [first] = issues;
  // One answer matches both sides of a transfer.
  const [, ...others] = issues.filter(({ kind }) => kind === 'transfer_unpaired');
  const ids = [...new Set(issues.flatMap(({ transactions }) => transactions))];
  return (
    <>
      {rejectId !== null && <RejectedRow id={rejectId} />}
      {rejectId === null && first !== undefined && ids.length > 0 && <SourceRow issue={first} ids={ids} />}
      {issues.map((issue) => (
        <section key={issue.id} class="issue">
          {issues.length > 1 && !others.includes(issue) && <h3>{kindNames[issue.kind]}</h3>}
          {rejectId === null && (
            <p>
              {withFormats(issue.detail)} <HelpTerm entry={entryOfIssue[issue.kind]}>Learn more</HelpTerm>
            </p>
          )}
          {!others.includes(issue) && (
            <AnswersList
              label={`Answers: ${kindNames[issue.kind]}`}
              answers={issue.answers.filter((answer) => !without.some(({ label }) => label === answer.label))}
              isFirst={isFirst && issue === first && rejectId === null}
            />
          )}
        </section>
      ))}
    </>
  );
}

/** The transaction in question, with the row of its file. */
function SourceRow({ issue, ids }: Readonly<{ issue: ReviewIssue; ids: readonly string[] }>) {
  const { transactions, kind } = issue;
  const [id = ''] = transactions;
  const readOnly = useReadOnly();
  const { data } = useApi(`story ${id}`, () => api.transactions({ id }).get());
  const isAboutOne = kind !== 'tax_year_by_zone' && kind !== 'account_type_unknown';
  return (
    <div class="source-row">
      {isAboutOne && data !== undefined && (
        <>
          <p>
            <strong>{typeName(data.type)}</strong> {data.quantity !== null && <Quantity amount={data.quantity} />}{' '}
            {data.asset}
            {data.assetName !== undefined && ` (${data.assetName})`}
            {data.amount !== null && (
              <>
                {' '}
                for <StatedAmount amount={data.amount} currency={data.currency} />
              </>
            )}
            {data.account !== '' && `, ${data.account}`}, {day(data.day)}
          </p>
          {data.source.raw && <pre class="source-text">{data.source.raw}</pre>}
        </>
      )}
      <p class="actions fine">
        <a href={to('/transactions', { ids: ids.slice(0, 50).join(',') })}>{formatCount(ids.length, 'transaction')}</a>
        {isAboutOne && readOnly === null && (
          <a href={to('/transactions', { open: id, edit: 'yes', back: 'questions' })} data-key="e">
            Edit transaction
          </a>
        )}
      </p>
    </div>
  );
}

/** A row that could not be read, with its cells and the ways to add it. */
function RejectedRow({ id }: { readonly id: string }) {
  const line = useApi(`rejected row ${id}`, () => api.imports.rejects({ id }).get());
  return (
    <ResourceView reading={line}>
      {(data) => (data.stated === undefined ? <RejectedLineBody line={data} isItem /> : <DifferenceBody line={data} />)}
    </ResourceView>
  );
}

interface AnswersListProps {
  readonly label: string;
  readonly answers: readonly ReviewAnswer[];
  /** Its first answer is the likeliest on the page. */
  readonly isFirst?: boolean;
}

/** The answers as buttons, the likeliest first, and the form of the chosen one. The number keys choose, too. */
function AnswersList({ label, answers, isFirst = true }: AnswersListProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const [isWhole, setWhole] = useState(answers.length <= shownMax + 1);
  const answer = chosen === null ? undefined : answers[chosen];
  return (
    <>
      <ul class="answers" aria-label={label}>
        {answers.slice(0, isWhole ? answers.length : shownMax).map((each, at) => {
          const href = hrefOf(each);
          const style = at === 0 && isFirst ? 'primary' : '';
          return (
            <li key={`${each.label} ${at}`}>
              {href === null ? (
                <Button label={each.label} class={style} aria-pressed={chosen === at} onClick={() => setChosen(at)} />
              ) : (
                <a class={`button ${style}`} href={href}>
                  {each.label}
                </a>
              )}
            </li>
          );
        })}
        {!isWhole && (
          <li>
            <Button label="More answers" onClick={() => setWhole(true)} />
          </li>
        )}
      </ul>
      {answer !== undefined && <AnswerForm key={chosen} answer={answer} onClose={() => setChosen(null)} />}
    </>
  );
}

const shownMax = 3;

/** The page for an answer that needs more than a few fields. */
function hrefOf({ operation, body, fields }: ReviewAnswer): string | null {
  if (operation === 'importTransactions') return to('/import');
  if (operation === 'createTransaction')
    return to('/transactions', { open: 'new', back: 'questions', ...textsOf(body) });
  return operation === 'createPrices' && fields.length === 0 ? to('/settings/prices', { back: 'review' }) : null;
}

/** The members that a new transaction starts with. The list behind it shows the transactions that have them, too. */
function textsOf({ asset, account }: ReviewAnswer['body']): Readonly<Record<string, string>> {
  return typeof asset === 'string' && typeof account === 'string' ? { asset, account } : {};
}

type FieldName = ReviewAnswer['fields'][number]['name'];

/** The fields of an answer, its effect on the tax years while they are filled in, and the button that saves it. */
function AnswerForm({ answer, onClose }: { readonly answer: ReviewAnswer; readonly onClose: () => void }) {
  const name = JSON.stringify([answer.operation, answer.target, answer.body]);
  const [values, setValues, forget] = useDraft<AnswerValues>(`answer ${name}`, {
    ...(answer.operation === 'updateAccount' ? { timeZone: browserTimeZone() } : {}),
  });
  const action = useAction();
  const effect = useEffectOnYears(answer, values, action.isBusy);
  const save = async () => {
    const undo = await saveAnswer(answer, values);
    forget();
    onClose();
    say(answer.fields.length === 0 ? `Saved: ${answer.label}.` : 'Saved.', undo);
  };
  return (
    <Form
      class="answer"
      fields={{}}
      action={action}
      isFocused
      keeps
      verb="Save"
      busy="Save"
      onSubmit={save}
      onClose={onClose}
      lead={<p>{withFormats(answer.detail)}</p>}
    >
      {answer.fields.length > 0 && (
        <div class="fields">
          {answer.fields.map((field) => (
            <AnswerInput
              key={field.name}
              field={field}
              value={values[field.name] ?? ''}
              onInput={(value) => setValues({ [field.name]: value })}
              problem={action.problemOfField(field.name)}
            />
          ))}
        </div>
      )}
      <div role="status" aria-label="Effect on your tax years">
        {typeof effect === 'string' ? (
          <p class={effect === calculating ? 'fine' : 'loss'}>{effect}</p>
        ) : (
          effect !== null && <YearsPreview years={effect} />
        )}
      </div>
    </Form>
  );
}

const calculating = 'Calculating the effect on your tax years…';

/** Returns the effect on the years once all needed fields are filled in, or what is wrong with them. */
function useEffectOnYears(answer: ReviewAnswer, values: AnswerValues, isSaving: boolean) {
  const [effect, setEffect] = useState<readonly PreviewedYear[] | string | null>(null);
  const { note: _note, ...figures } = values;
  const request = canTry(answer, values) ? JSON.stringify([answer.body, figures]) : null;
  useEffect(() => {
    // An answer that is being saved can no longer be tried.
    if (isSaving) return;
    setEffect(request === null ? null : calculating);
    if (request === null) return;
    let isCurrent = true;
    const show = (shown: readonly PreviewedYear[] | string) => isCurrent && setEffect(shown);
    const hasFields = answer.fields.some(({ name }) => name !== 'note');
    const timer = setTimeout(
      () =>
        tryAnswer(answer, withReason(answer, values)).then(show, (error: unknown) => show(toProblem(error).message)),
      hasFields ? 500 : 0,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [request, isSaving]);
  return effect;
}

/** The reason has no effect on the years, so the preview does not wait for it. */
function withReason({ fields }: ReviewAnswer, values: AnswerValues): AnswerValues {
  return fields.some(({ name, isRequired }) => name === 'note' && isRequired)
    ? { ...values, note: values.note || 'Preview' }
    : values;
}

interface AnswerInputProps {
  readonly field: ReviewAnswer['fields'][number];
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly problem: string | undefined;
}

function AnswerInput({ field: { name, label, isRequired }, value, onInput, problem }: AnswerInputProps) {
  if (name === 'timeZone') {
    const whose = clientId.value === null ? 'Your time zone' : "Client's time zone";
    return (
      <TimeZoneField label={label === 'Time zone' ? whose : label} value={value} onInput={onInput} problem={problem} />
    );
  }
  const hint = hints[name];
  return (
    <Field
      label={groupDigits(label)}
      type={types[name] ?? 'text'}
      value={value}
      onInput={onInput}
      isRequired={isRequired}
      problem={problem}
      {...(hint === undefined ? {} : { hint })}
    />
  );
}

const types: Partial<Readonly<Record<FieldName, 'money' | 'date' | 'quantity'>>> = {
  quantity: 'quantity',
  basis: 'money',
  amount: 'money',
  usd: 'money',
  acquired: 'date',
};

const hints: Partial<Readonly<Record<FieldName, string>>> = {
  discounts: 'Each year with its amount, like 2022: 40.00, 2023: 41.50',
  note: 'Required. Saved with the item, for you or your preparer.',
};
