import type { Problem } from '../api/problem.ts';
import { titled } from '../format/words.ts';
import { Icon } from './icon.tsx';

/** Why something could not be done, in plain words, with the way out and the id of the request. */
export function ProblemNotice({ problem, onRetry }: { readonly problem: Problem; readonly onRetry?: () => void }) {
  return (
    <div class="notice bad" role="alert">
      <Icon name="warning" />
      <div>
        <p>{problem.message}</p>
        {problem.fields.length > 0 && (
          <ul class="points">
            {problem.fields.map((field) => (
              <li key={`${field.pointer} ${field.line} ${field.column}`}>
                {placeOf(field)}
                {field.detail}
              </li>
            ))}
          </ul>
        )}
        {problem.requestId !== null && problem.fields.length === 0 && <p class="fine">Request {problem.requestId}</p>}
      </div>
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

function placeOf({ pointer, line, column }: Problem['fields'][number]): string {
  if (line !== undefined) return column === undefined ? `Line ${line}: ` : `Line ${line}, column ${column}: `;
  // `/accounts/Schwab/assetClass`: the last word says most.
  const name = pointer?.split('/').at(-1) ?? '';
  return name === '' || /^\d+$/.test(name)
    ? ''
    : `${titled(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))}: `;
}
