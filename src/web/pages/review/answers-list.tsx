import { useEffect, useRef, useState } from 'preact/hooks';
import { useDraft } from '../../api/draft.ts';
import { clientId, to } from '../../api/page-url.ts';
import { toProblem } from '../../api/problem.ts';
import { groupDigits } from '../../format/amounts.ts';
import { browserTimeZone, withFormats } from '../../format/dates.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { FormActions } from '../../parts/form.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { TimeZoneField } from '../../parts/time-zone-field.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';
import { type PreviewedYear, YearsPreview } from '../../parts/years-preview.tsx';
import { type AnswerValues, canTry, type ReviewAnswer, saveAnswer, tryAnswer } from './answers.ts';

interface AnswersListProps {
  readonly label: string;
  readonly answers: readonly ReviewAnswer[];
  /** Its first answer is the likeliest on the page. */
  readonly isFirst?: boolean;
}

/** The answers as buttons, the likeliest first, and the form of the chosen one. The number keys choose, too. */
export function AnswersList({ label, answers, isFirst = true }: AnswersListProps) {
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
  const form = useRef<HTMLFormElement>(null);
  // The first field, or the button that saves. Enter saves from both.
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select, button')?.focus(), []);
  const { submit, problem, isBusy, problemOfField } = useAction();
  const effect = useEffectOnYears(answer, values, isBusy);
  const save = async () => {
    const undo = await saveAnswer(answer, values);
    forget();
    onClose();
    say(answer.fields.length === 0 ? `Saved: ${answer.label}.` : 'Saved.', undo);
  };
  return (
    <form ref={form} class="answer" onSubmit={submit(save)}>
      <p>{withFormats(answer.detail)}</p>
      {problem !== null && <ProblemNotice problem={problem} />}
      {answer.fields.length > 0 && (
        <div class="fields">
          {answer.fields.map((field) => (
            <AnswerInput
              key={field.name}
              field={field}
              value={values[field.name] ?? ''}
              onInput={(value) => setValues({ [field.name]: value })}
              problem={problemOfField(field.name)}
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
      <FormActions verb="Save" isBusy={isBusy} onClose={onClose} keeps />
    </form>
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
