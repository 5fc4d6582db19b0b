import type { ComponentChildren } from 'preact';
import { day, withDays } from '../../format/dates.ts';
import { Money } from '../amount.tsx';
import type { ExplainedStep } from './explanation.ts';

interface StepsProps {
  readonly steps: readonly ExplainedStep[];
  readonly isBasisMissing: boolean;
}

/** Each column of the entry: its value, the reason, its parts, and the law. */
export function Steps({ steps, isBasisMissing }: StepsProps) {
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
          <tr key={at}>
            <th scope="row">{withDays(text)}</th>
            <td class="number">
              <Money amount={amount} />
            </td>
          </tr>
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
