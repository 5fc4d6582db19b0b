import { to } from '../../api/page-url.ts';
import { count, money } from '../../format/amounts.ts';
import { day } from '../../format/dates.ts';
import { formatSentenceCase } from '../../format/words.ts';
import type { TransactionStory } from './filter.ts';

/** The source of a transaction: the file, the line number and the raw text. */
export function StorySource({ story }: { readonly story: TransactionStory }) {
  const { source, sources, answers, pairing, corrected } = story;
  const lines = source.lines ?? [];
  return (
    <section>
      <h3>Source</h3>
      {sources.length === 0 && <p>Entered manually.</p>}
      <ul class="bare-list">
        {sources.map(({ importId, fileName, format, line }) => (
          <li key={`${importId} ${line}`}>
            <a href={to('/transactions', { importId })}>{fileName ?? formatSentenceCase(format ?? 'a file')}</a>,{' '}
            {importId === source.importId && lines.length > 1
              ? `lines ${lines.map((each) => count(each)).join(', ')}`
              : `line ${count(line)}`}
          </li>
        ))}
      </ul>
      {source.raw !== null && source.raw !== undefined && source.raw !== '' && (
        <>
          <pre class="source-text">{source.raw}</pre>
          {corrected && <p class="fine">This transaction was edited. The values above apply.</p>}
        </>
      )}
      {pairing !== null && (
        <p>
          {pairing.with === null ? (
            'No match, as you answered.'
          ) : (
            <>
              <a href={to('/transactions', { open: pairing.with })}>The other side of the transfer</a>, matched{' '}
              {pairing.by === 'hand' ? 'by you' : 'by asset, quantity and time'}.
            </>
          )}
        </p>
      )}
      {answers.map(({ action, basis, acquired, amount, note }) => (
        <p key={`${action} ${basis} ${amount}`}>
          Your answer:{' '}
          {[
            basis && `cost ${money(basis)}`,
            acquired && `bought ${day(acquired)}`,
            amount && `value ${money(amount)}`,
            action === 'pair' && 'matched with the other side',
            note,
          ]
            .filter(Boolean)
            .join(', ')}
          .
        </p>
      ))}
    </section>
  );
}
