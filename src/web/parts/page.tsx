import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useOpenClient } from '../api/books.ts';

interface PageProps {
  readonly title: string;
  /** Shown next to the title: the year and buttons. */
  readonly actions?: ComponentChildren;
  /** One sentence below the title. */
  readonly lead?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page. Its title is also the tab's title, and gets the focus when the user comes from another page. */
export function Page({ title, actions, lead, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const client = useOpenClient().data?.name;
  useEffect(() => {
    // The client's name comes first because narrow tabs show only the beginning.
    document.title = [client, title, 'Lotbook'].filter((part) => part !== undefined).join(' · ');
  }, [title, client]);
  useEffect(() => {
    if (wasVisited) heading.current?.focus({ preventScroll: true });
    wasVisited = true;
  }, []);
  return (
    <>
      <header class="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <p class="lead">{lead}</p>}
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

/** The first page of a visit does not move the focus. */
let wasVisited = false;

interface CardProps {
  readonly title: ComponentChildren;
  /** Names the card's region by its title. */
  readonly id?: string;
  readonly children: ComponentChildren;
}

/** A part of a page, with its title. */
export function Card({ title, id, children }: CardProps) {
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
