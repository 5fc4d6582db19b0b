import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { type HelpArticle, useHelpArticle } from '../api/help.ts';
import { to } from '../api/page-url.ts';
import { parseBlocks } from '../format/blocks.ts';
import { Button } from './button.tsx';

interface HelpTermProps {
  /** The id of an entry of the help center. A test checks that it exists. */
  readonly entry: string;
  /** The term itself, or words such as "Learn more". */
  readonly children: ComponentChildren;
}

/** A term that shows its help entry when it is clicked. Escape or a click outside closes it. */
export function HelpTerm({ entry, children }: HelpTermProps) {
  const id = useId();
  const [wasOpened, setOpened] = useState(false);
  return (
    <>
      <Button label={children} class="plain help-term" popovertarget={id} onClick={() => setOpened(true)} />
      <div id={id} popover="auto" class="help-card">
        {wasOpened && <HelpCard entry={entry} />}
      </div>
    </>
  );
}

/** Does not use `ResourceView`, because an error notice can contain a term itself. */
function HelpCard({ entry }: Pick<HelpTermProps, 'entry'>) {
  const { data, problem } = useHelpArticle(entry);
  if (data === undefined) return <p role="status">{problem === null ? 'Loading…' : problem.message}</p>;
  return (
    <>
      <p class="help-title">{data.title}</p>
      <HelpText text={data.text} />
      <HelpAuthority authority={data.authority} />
      <p>
        <a href={to(`/help/${entry}`)}>Open in help</a>
      </p>
    </>
  );
}

/** The text of a help entry: paragraphs, numbered steps, bold page names and code. */
export function HelpText({ text }: { readonly text: string }) {
  return (
    <>
      {parseBlocks(text, /^\d+\. /).map((block) =>
        typeof block === 'string' ? (
          <p key={block}>{marked(block)}</p>
        ) : (
          <ol key={block.join()}>
            {block.map((step) => (
              <li key={step}>{marked(step)}</li>
            ))}
          </ol>
        ),
      )}
    </>
  );
}

/** The authorities of an entry, with links to their public pages. */
export function HelpAuthority({ authority }: Pick<HelpArticle, 'authority'>) {
  const official = authority.filter(({ title }) => title !== 'Lotbook');
  if (official.length === 0) return null;
  return (
    <p class="fine">
      Source:{' '}
      {official.map(({ title, href }, at) => (
        <span key={title}>
          {at > 0 && '; '}
          {href === null ? (
            title
          ) : (
            <a href={href} target="_blank" rel="noreferrer">
              {title}
            </a>
          )}
        </span>
      ))}
    </p>
  );
}

/** Replaces `**bold**` and backticks with elements. */
function marked(text: string): ComponentChildren[] {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part) => {
    if (part.startsWith('**')) return <strong key={part}>{part.slice(2, -2)}</strong>;
    return part.startsWith('`') ? <code key={part}>{part.slice(1, -1)}</code> : part;
  });
}
