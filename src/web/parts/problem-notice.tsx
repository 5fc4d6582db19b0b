import { entryOfProblem } from '../../features/answers/help/help-links.ts';
import { to } from '../api/page-url.ts';
import type { Problem } from '../api/problem.ts';
import { formatSentenceCase } from '../format/words.ts';
import { Button } from './button.tsx';
import { HelpTerm } from './help-term.tsx';
import { Icon } from './icon.tsx';
import { MailVerification } from './mail-verification.tsx';

/** An error with what to do about it. An error of the server includes the request id for support. */
export function ProblemNotice({ problem, onRetry }: { readonly problem: Problem; readonly onRetry?: () => void }) {
  // Details that the message already contains are not repeated.
  const fields = problem.fields.filter(({ detail }) => !problem.message.includes(detail));
  const lockedYear = problem.code === 'year_locked' ? problem.members.year : null;
  const entry = entryOfProblem.get(problem.code);
  return (
    <div class="notice bad" role="alert">
      <Icon name="warning" />
      <div>
        <p>{problem.message}</p>
        {typeof lockedYear === 'number' && (
          <p>
            <a href={to('/forms', { year: String(lockedYear) })}>Unlock {lockedYear}</a>
          </p>
        )}
        {entry !== undefined && (
          <p>
            <HelpTerm entry={entry}>Learn more</HelpTerm>
          </p>
        )}
        {problem.code === 'email_unverified' && (
          <p class="actions">
            <MailVerification />
          </p>
        )}
        {fields.length > 0 && typeof lockedYear !== 'number' && (
          <ul class="points">
            {fields.map((field) => (
              <li key={`${field.pointer} ${field.line} ${field.column}`}>
                {formatLocation(field)}
                {field.detail}
              </li>
            ))}
          </ul>
        )}
        {problem.status >= 500 && problem.requestId !== null && <p class="fine">Request {problem.requestId}</p>}
      </div>
      {onRetry !== undefined && <Button label="Try again" onClick={onRetry} />}
    </div>
  );
}

function formatLocation({ pointer, line, column }: Problem['fields'][number]): string {
  if (line !== undefined) return column === undefined ? `Line ${line}: ` : `Line ${line}, column ${column}: `;
  // The last part of a pointer such as `/accounts/Schwab/assetClass` is the most specific.
  const name = pointer?.split('/').at(-1) ?? '';
  return name === '' || /^\d+$/.test(name)
    ? ''
    : `${formatSentenceCase(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))}: `;
}
