import type { IconName } from './parts/button.tsx';

/** A page that the sidebar, the search or a shortcut opens. */
export interface Destination {
  readonly label: string;
  readonly href: string;
  readonly icon: IconName;
  /** Other words that find it in the search. */
  readonly words?: string;
  /** The key that opens it after `g`. */
  readonly key?: string;
}

export const clients: Destination = { label: 'Clients', href: '/clients', icon: 'clients', key: 'c' };

/** The pages about one tax year. */
const overview: Destination = { label: 'Overview', href: '/overview', icon: 'year', key: 'o', words: 'summary home' };
const imports: Destination = { label: 'Import', href: '/import', icon: 'import', key: 'i', words: 'upload files csv' };
const review: Destination = {
  label: 'Review',
  href: '/review',
  icon: 'questions',
  key: 'r',
  words: 'issues questions',
};
const forms: Destination = { label: 'Forms', href: '/forms', icon: 'lines', key: 'f', words: 'reports download lock' };
export const ofYear: readonly Destination[] = [
  overview,
  imports,
  review,
  { label: 'Transactions', href: '/transactions', icon: 'transactions', key: 't', words: 'trades rows history' },
  forms,
];

export const ofAllYears: readonly Destination[] = [
  { label: 'Holdings', href: '/holdings', icon: 'lots', key: 'h', words: 'lots positions portfolio' },
  { label: 'Planning', href: '/planning', icon: 'plan', key: 'p', words: 'what-if sale plan' },
];

export const tools: readonly Destination[] = [
  { label: 'Assistant', href: '/assistant', icon: 'assistant', key: 'a', words: 'ask questions' },
  { label: 'Settings', href: '/settings', icon: 'settings', key: 's' },
];

export const notifications: Destination = {
  label: 'Notifications',
  href: '/notifications',
  icon: 'notifications',
  key: 'n',
};

/** Returns the pages that every menu lists. */
export function mainDestinations(isCpa: boolean): readonly Destination[] {
  return [...(isCpa ? [clients] : []), ...ofYear, ...ofAllYears, notifications, ...tools];
}

/** Returns the bar at the bottom of a phone. */
export function phoneDestinations(isCpa: boolean): readonly Destination[] {
  return [overview, isCpa ? clients : imports, review, forms];
}

export const formTabs: readonly Destination[] = [
  { ...forms, label: 'Downloads' },
  { label: 'Form 8949 entries', href: '/forms/8949', icon: 'lines', words: 'lines sales schedule d' },
  { label: '1099 check', href: '/forms/1099', icon: 'forms', words: '1099-b 1099-da reconcile broker' },
  { label: 'IRS notice', href: '/forms/notice', icon: 'edit', words: 'cp2000 letter answer proposal' },
];

export const planningTab: Destination = {
  label: 'Tax-loss harvesting',
  href: '/planning?view=losses',
  icon: 'plan',
  words: 'losses wash sale',
};

function toTabs(page: string, icon: IconName, tabs: readonly [part: string, label: string, words: string][]) {
  return tabs.map(([part, label, words]): Destination => ({ label, words, icon, href: `${page}${part}` }));
}

export const settingsTabs: readonly Destination[] = toTabs('/settings', 'settings', [
  ['/accounts', 'Accounts', 'ira broker exchange 1099'],
  ['/elections', 'Tax choices', 'elections fifo hifo lot method wash sale'],
  ['/years', 'Year by year', 'filing status taxable income loss carryover'],
  ['/assets', 'Assets', 'symbols class stock crypto'],
  ['/allocation', '2024 crypto allocation', 'safe harbor universal wallet'],
  ['/prices', 'Prices', 'value quotes'],
  ['/balances', 'Balances', 'statement quantity'],
  ['/mappings', 'File mappings', 'columns csv'],
]);

export const accountTabs: readonly Destination[] = toTabs('/account', 'account', [
  ['', 'Profile', 'name email ssn time zone'],
  ['/plan', 'Plan', 'billing upgrade pro usage limits'],
  ['/security', 'Security', 'password passkey two-step sessions sign-in'],
  ['/access', 'Shared access', 'cpa invite grants ai'],
  ['/tokens', 'API tokens', 'programs apps'],
  ['/audit', 'Activity', 'audit log who'],
  ['/data', 'Data', 'export delete account backup'],
]);
