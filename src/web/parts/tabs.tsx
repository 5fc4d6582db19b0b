import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { to } from '../api/page-url.ts';
import type { Destination } from '../destinations.ts';

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
