import type { ComponentChildren } from 'preact';
import { to } from '../../api/page-url.ts';
import { parseBlocks, parseReplyBlocks } from '../../format/blocks.ts';
import { findPage } from '../../format/page-links.ts';
import type { ConversationMessage } from './conversation.ts';

interface MessageItemProps {
  readonly by: ConversationMessage['role'];
  readonly content: string;
  readonly citations?: ConversationMessage['citations'];
  /** Whether more words are coming. */
  readonly isBusy?: boolean;
  readonly children?: ComponentChildren;
}

/** One message, with links to the pages that show its numbers. */
export function MessageItem({ by, content, citations = [], isBusy = false, children }: MessageItemProps) {
  return (
    <li class={`spoken ${by}`} aria-busy={isBusy}>
      <span class="visually-hidden">{by === 'user' ? 'You asked:' : 'Answer:'}</span>
      <div class="spoken-text">
        {(by === 'user' ? parseBlocks : parseReplyBlocks)(content).map((block) =>
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
            const pageLocation = findPage(href);
            return (
              <li key={href}>
                {pageLocation === null ? title : <a href={to(pageLocation.path, pageLocation.query)}>{title}</a>}
              </li>
            );
          })}
        </ul>
      )}
      {children}
    </li>
  );
}
