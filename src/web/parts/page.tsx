import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useOpenClient } from '../api/books.ts';
import { to } from '../api/page-url.ts';
import type { Destination } from '../destinations.ts';

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
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A part of a page, with its title. */
export function Card({ title, id, class: name = '', children }: CardProps) {
  return (
    <section class={`card ${name}`.trim()} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

interface TabsProps {
  readonly label: string;
  /** The first tab is also the page of the path above it: /settings shows /settings/accounts. */
  readonly tabs: readonly Destination[];
}

/** Links between the parts of a page, each with its own URL. */
export function Tabs({ label, tabs }: TabsProps) {
  const { path } = useLocation();
  const here = tabs.find(({ href }) => href === path) ?? tabs[0];
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone, the current tab can be outside the visible area.
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [path]);
  return (
    <nav ref={list} class="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.href} href={to(tab.href)} aria-current={tab === here ? 'page' : undefined}>
          {tab.label}
        </a>
      ))}
    </nav>
  );
}
