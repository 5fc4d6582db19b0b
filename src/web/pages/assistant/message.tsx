import type { ComponentChildren } from 'preact';
import { to } from '../../api/page-url.ts';
import { parseBlocks, parseReplyBlocks } from '../../format/blocks.ts';
import { findPage } from '../../format/page-links.ts';
import type { ConversationMessage } from './conversation.ts';

interface MessageItemProps {
  readonly by: ConversationMessage['role'];
  readonly content: string;
  readonly citations?: ConversationMessage['citations'];
  /** Asks a suggested question. Without it, suggestions are plain text. */
  readonly onAsk?: (question: string) => void;
  /** Whether more words are coming. */
  readonly isBusy?: boolean;
  readonly children?: ComponentChildren;
}

/** The line before suggested questions in a reply of the built-in assistant. */
const suggestionsTitle = 'You can ask:';

/** One message, with links to the pages that show its numbers. */
export function MessageItem({ by, content, citations = [], onAsk, isBusy = false, children }: MessageItemProps) {
  const blocks = (by === 'user' ? parseBlocks : parseReplyBlocks)(content);
  return (
    <li class={`spoken ${by}`} aria-busy={isBusy}>
      <span class="visually-hidden">{by === 'user' ? 'You asked:' : 'Answer:'}</span>
      <div class="spoken-text">
        {blocks.map((block, at) =>
          typeof block === 'string' ? (
            <p key={block}>{block}</p>
          ) : (
            <ul key={block.join()}>
              {block.map((item) => (
                <li key={item}>
                  {onAsk !== undefined && blocks[at - 1] === suggestionsTitle ? (
                    <button type="button" class="plain" onClick={() => onAsk(item)}>
                      {item}
                    </button>
                  ) : (
                    item
                  )}
                </li>
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
