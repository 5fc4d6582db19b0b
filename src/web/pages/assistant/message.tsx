import type { ComponentChildren } from 'preact';
import { to } from '../../api/acting.ts';
import { answerBlocks, blocksOf } from '../../format/blocks.ts';
import { pageOf } from '../../format/page-links.ts';
import type { SaidMessage } from './conversation.ts';

interface SpokenProps {
  readonly by: SaidMessage['role'];
  readonly content: string;
  readonly citations?: SaidMessage['citations'];
  /** Whether more words are coming. */
  readonly isBusy?: boolean;
  readonly children?: ComponentChildren;
}

/** One message, with links to the pages that show its numbers. */
export function Spoken({ by, content, citations = [], isBusy = false, children }: SpokenProps) {
  return (
    <li class={`spoken ${by}`} aria-busy={isBusy}>
      <span class="visually-hidden">{by === 'user' ? 'You asked:' : 'Answer:'}</span>
      <div class="spoken-text">
        {(by === 'user' ? blocksOf : answerBlocks)(content).map((block) =>
          typeof block === 'string' ? (
            <p key={block}>{block}</p>
          ) : (
            <ul key={block.join()}>
              {block.map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          ),
        )}
      </div>
      {citations.length > 0 && (
        <ul class="citations" aria-label="Sources">
          {citations.map(({ title, href }) => {
            const place = pageOf(href);
            return <li key={href}>{place === null ? title : <a href={to(place.path, place.query)}>{title}</a>}</li>;
          })}
        </ul>
      )}
      {children}
    </li>
  );
}
