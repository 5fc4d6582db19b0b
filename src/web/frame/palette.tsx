import { Fragment } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useResource } from '../api/api.ts';
import { hasClients, useClients } from '../api/books.ts';
import { readHelpList } from '../api/help.ts';
import { to } from '../api/page-url.ts';
import { account } from '../api/session.ts';
import { useAssets } from '../api/status.ts';
import { rememberYear, useYearChoices } from '../api/tax-year.ts';
import {
  accountTabs,
  type Destination,
  formTabs,
  mainDestinations,
  planningTab,
  settingsTabs,
} from '../destinations.ts';
import { Button, Icon, type IconName } from '../parts/button.tsx';
import { useModal } from '../parts/dialog.tsx';
import { closeDialog } from './shortcuts.ts';
import { buildPersonAddress, buildYearAddress } from './top-bar.tsx';

/** The search: a list box that arrow keys move through while the field keeps the focus (ARIA Combobox). */
export default function Palette() {
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const { route } = useLocation();
  const dialog = useModal(closeDialog);
  const id = useId();
  const text = typed.trim();
  const groups = paletteSources
    .map(({ heading, useItems }) => ({ heading, items: useItems(text) }))
    .filter(({ items }) => items.length > 0);
  const all = groups.flatMap(({ items }) => items);
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active, text]);
  const open = (item: PaletteItem | undefined) => {
    if (item === undefined) return;
    closeDialog();
    item.act?.();
    route(item.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { length } = all;
    const moved = { ArrowDown: active + 1, ArrowUp: active - 1 }[event.key];
    if (moved !== undefined && length > 0) setActive((moved + length) % length);
    else if (event.key === 'Enter') open(all[active]);
    // The browser reports the end of a dialog later, which would close one that was opened in the meantime.
    else if (event.key === 'Escape') closeDialog();
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Search">
      <div class="palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Search pages, clients, securities, transactions and help"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={all.length === 0 ? undefined : `${id}-${active}`}
          placeholder="Search Lotbook"
          autoComplete="off"
          spellcheck={false}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <Button icon="close" class="plain" aria-label="Close" onClick={closeDialog} />
      </div>
      <div id={`${id}-list`} role="listbox" aria-label="Results">
        {groups.map(({ heading, items }) => (
          <Fragment key={heading}>
            <p class="nav-group" aria-hidden="true">
              {heading}
            </p>
            {items.map((item) => (
              <button
                key={`${item.label} ${item.href}`}
                id={`${id}-${all.indexOf(item)}`}
                type="button"
                role="option"
                tabIndex={-1}
                aria-selected={all[active] === item}
                onClick={() => open(item)}
                onPointerMove={() => setActive(all.indexOf(item))}
              >
                <Icon name={item.icon} />
                <span>{item.label}</span>
                {item.detail !== undefined && <span class="fine">{item.detail}</span>}
              </button>
            ))}
          </Fragment>
        ))}
      </div>
    </dialog>
  );
}

/** A result of the search. */
interface PaletteItem {
  readonly label: string;
  /** Shown after the label, and searched too. */
  readonly detail?: string | undefined;
  /** Other words that find it. */
  readonly words?: string | undefined;
  readonly icon: IconName;
  readonly href: string;
  /** Done before the page opens. */
  readonly act?: () => void;
}

/** One group of results. `useItems` is a hook that returns the results for the typed text, best first. */
interface PaletteSource {
  readonly heading: string;
  readonly useItems: (text: string) => readonly PaletteItem[];
}

/** The most results of a group. */
const itemsMax = 7;

/** Everything that the search looks through, in the order of the results. */
const paletteSources: readonly PaletteSource[] = [
  { heading: 'Pages', useItems: usePages },
  { heading: 'Tax years', useItems: useTaxYears },
  { heading: 'Clients', useItems: usePeople },
  { heading: 'Securities', useItems: useSecurities },
  { heading: 'Transactions', useItems: useTransactions },
  { heading: 'Help', useItems: useHelp },
];

const parts = (detail: string, tabs: readonly Destination[]) => tabs.map((tab) => ({ ...tab, detail }));
const partsOfPages = [
  ...parts('Forms', formTabs),
  ...parts('Planning', [planningTab]),
  ...parts('Settings', settingsTabs),
  ...parts('Account', accountTabs),
];

function usePages(text: string): readonly PaletteItem[] {
  const main = mainDestinations(hasClients());
  const shown = text === '' || account.value?.demo ? main : [...main, ...partsOfPages];
  const items = shown.map((page) => ({ ...page, href: to(...splitQuery(page.href)) }));
  return text === '' ? items : findMatches(text, items);
}

function useTaxYears(text: string): readonly PaletteItem[] {
  const { path } = useLocation();
  const choices = useYearChoices();
  if (text === '') return [];
  const items = choices.map((year) => ({
    label: `Tax year ${year}`,
    words: String(year),
    icon: 'year' as const,
    href: buildYearAddress(path, year),
    act: () => rememberYear(year),
  }));
  return findMatches(text, items);
}

function usePeople(text: string): readonly PaletteItem[] {
  const { path } = useLocation();
  const people = useClients().data?.data ?? [];
  if (text === '' || people.length === 0) return [];
  return findMatches(text, [
    ...people.map(({ id, name }) => ({ label: name, icon: 'clients' as const, href: buildPersonAddress(path, id) })),
    { label: 'My account', icon: 'account', href: buildPersonAddress(path, null) },
  ]);
}

function useSecurities(text: string): readonly PaletteItem[] {
  const { data } = useAssets();
  if (text === '') return [];
  const items = (data?.data ?? []).map(({ asset, name }) => ({
    label: asset,
    detail: name ?? undefined,
    icon: 'lots' as const,
    href: to('/transactions', { asset, years: 'all' }),
  }));
  return findMatches(text, items);
}

function useTransactions(text: string): readonly PaletteItem[] {
  if (text === '') return [];
  const href = to('/transactions', { q: text, years: 'all' });
  return [{ label: `Find “${text}” in transactions`, icon: 'search', href }];
}

function useHelp(text: string): readonly PaletteItem[] {
  const words = text.trim();
  const { data } = useResource(words.length < 3 ? null : `help search ${words}`, () => readHelpList(words));
  return (data?.data ?? [])
    .slice(0, helpMax)
    .map(({ id, title }) => ({ label: title, icon: 'questions', href: to(`/help/${id}`) }));
}

/** The most results of the help center, which finds distant matches too. */
const helpMax = 4;

/** Returns the items with words that start as the typed ones do. Those that start with the text come first. */
function findMatches(text: string, items: readonly PaletteItem[]): readonly PaletteItem[] {
  const wanted = toWords(text);
  const hasAll = (all: readonly string[]) => wanted.every((word) => all.some((each) => each.startsWith(word)));
  const found = items.flatMap((item) => {
    const { label, detail = '', words = '' } = item;
    if (!hasAll(toWords(`${label} ${detail} ${words}`))) return [];
    return [{ item, rank: label.toLowerCase().startsWith(text.toLowerCase()) ? 0 : hasAll(toWords(label)) ? 1 : 2 }];
  });
  return found
    .sort((a, b) => a.rank - b.rank)
    .slice(0, itemsMax)
    .map(({ item }) => item);
}

function toWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[\s/-]+/)
    .filter((word) => word !== '');
}

function splitQuery(href: string): [path: string, query: Readonly<Record<string, string>>] {
  const [path = '', query = ''] = href.split('?');
  return [path, Object.fromEntries(new URLSearchParams(query))];
}
