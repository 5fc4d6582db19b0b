import type { ComponentType } from 'preact';
import type { IconName } from './parts/icon.tsx';

/** A page's entry in the navigation. */
export interface PageEntry {
  /** The route, with parameters such as `:year`. */
  readonly path: string;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
  /** Whether the page requires no session. */
  readonly isPublic?: true;
  /** The page's position in the navigation, in this order. */
  readonly nav?: {
    readonly label: string;
    readonly icon: IconName;
    readonly href: string;
    readonly onPhone?: true;
    /** Only for users who have clients. */
    readonly ofClients?: true;
  };
}

/** Every page of the client. Each page is a file with its own chunk, loaded when the page is first opened. */
export const pages: readonly PageEntry[] = [
  { path: '/', load: () => import('./pages/start.tsx'), isPublic: true },
  { path: '/sign-in', load: () => import('./pages/sign-in.tsx'), isPublic: true },
  { path: '/sign-in/link', load: () => import('./pages/sign-in/link.tsx'), isPublic: true },
  { path: '/register', load: () => import('./pages/register.tsx'), isPublic: true },
  { path: '/email/confirm', load: () => import('./pages/email/confirm.tsx'), isPublic: true },
  { path: '/email/undo', load: () => import('./pages/email/undo.tsx'), isPublic: true },
  { path: '/email/verify', load: () => import('./pages/email/verify.tsx'), isPublic: true },
  { path: '/reset', load: () => import('./pages/reset.tsx'), isPublic: true },
  { path: '/reset/confirm', load: () => import('./pages/reset/confirm.tsx'), isPublic: true },
  { path: '/account/restore', load: () => import('./pages/account/restore.tsx'), isPublic: true },
  { path: '/unsubscribe', load: () => import('./pages/unsubscribe.tsx'), isPublic: true },
  { path: '/invitations/:id', load: () => import('./pages/invitation.tsx') },
  { path: '/help/:id?', load: () => import('./pages/help.tsx'), isPublic: true },
  { path: '/auth/callback', load: () => import('./pages/callback.tsx'), isPublic: true },
  {
    path: '/year/:year?',
    load: () => import('./pages/year.tsx'),
    nav: { label: 'Overview', icon: 'year', href: '/year', onPhone: true },
  },
  {
    path: '/import',
    load: () => import('./pages/import.tsx'),
    nav: { label: 'Import', icon: 'import', href: '/import', onPhone: true },
  },
  { path: '/import/rejected', load: () => import('./pages/import-rejected.tsx') },
  { path: '/import/:id', load: () => import('./pages/import-file.tsx') },
  {
    path: '/needs-you',
    load: () => import('./pages/needs-you.tsx'),
    nav: { label: 'To review', icon: 'questions', href: '/needs-you', onPhone: true },
  },
  {
    path: '/transactions',
    load: () => import('./pages/transactions.tsx'),
    nav: { label: 'Transactions', icon: 'transactions', href: '/transactions', onPhone: true },
  },
  {
    path: '/lines',
    load: () => import('./pages/lines.tsx'),
    nav: { label: 'Form 8949', icon: 'lines', href: '/lines' },
  },
  {
    path: '/lots',
    load: () => import('./pages/lots.tsx'),
    nav: { label: 'Holdings', icon: 'lots', href: '/lots' },
  },
  { path: '/funds', load: () => import('./pages/funds.tsx') },
  {
    path: '/plan',
    load: () => import('./pages/plan.tsx'),
    nav: { label: 'Tax planning', icon: 'plan', href: '/plan' },
  },
  {
    path: '/reports',
    load: () => import('./pages/reports.tsx'),
    nav: { label: 'Reports', icon: 'reports', href: '/reports' },
  },
  {
    path: '/reconcile',
    load: () => import('./pages/reconcile.tsx'),
    nav: { label: '1099 check', icon: 'forms', href: '/reconcile' },
  },
  {
    path: '/assistant',
    load: () => import('./pages/assistant.tsx'),
    nav: { label: 'Assistant', icon: 'assistant', href: '/assistant' },
  },
  {
    path: '/notifications',
    load: () => import('./pages/notifications.tsx'),
    nav: { label: 'Notifications', icon: 'notifications', href: '/notifications' },
  },
  {
    path: '/clients',
    load: () => import('./pages/clients.tsx'),
    nav: { label: 'Clients', icon: 'clients', href: '/clients', ofClients: true },
  },
  {
    path: '/settings/:part?',
    load: () => import('./pages/settings.tsx'),
    nav: { label: 'Settings', icon: 'settings', href: '/settings' },
  },
  {
    path: '/account',
    load: () => import('./pages/account.tsx'),
    nav: { label: 'Account', icon: 'account', href: '/account' },
  },
  { path: '/account/data', load: () => import('./pages/account/data.tsx') },
  { path: '/account/audit', load: () => import('./pages/account/audit.tsx') },
  { path: '/account/tokens', load: () => import('./pages/account/tokens.tsx') },
];
