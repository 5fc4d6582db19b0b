import { useState } from 'preact/hooks';
import { to } from '../../api/page-url.ts';
import { AnswerForm } from './answer-form.tsx';
import type { ReviewAnswer } from './answers.ts';

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
                <button type="button" class={style} aria-pressed={chosen === at} onClick={() => setChosen(at)}>
                  {each.label}
                </button>
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
            <button type="button" onClick={() => setWhole(true)}>
              More answers
            </button>
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
