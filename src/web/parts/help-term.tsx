import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useHelpArticle } from '../api/help.ts';
import { to } from '../api/page-url.ts';
import { Button } from './button.tsx';
import { HelpAuthority, HelpText } from './help-article.tsx';

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
