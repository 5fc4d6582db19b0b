import type { ComponentType } from 'preact';
import type { IconName } from './parts/icon.tsx';

/** A page's entry in the navigation. */
export interface PageEntry {
  /** The route, with parameters such as `:id`. */
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
    /** Shows one tax year, which is in its URL. */
    readonly isOfYear?: true;
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
  { path: '/auth/callback', load: () => import('./pages/callback.tsx'), isPublic: true },
  {
    path: '/overview',
    load: () => import('./pages/year.tsx'),
    nav: { label: 'Overview', icon: 'year', href: '/overview', isOfYear: true, onPhone: true },
  },
  {
    path: '/import',
    load: () => import('./pages/import.tsx'),
    nav: { label: 'Import', icon: 'import', href: '/import', onPhone: true },
  },
  { path: '/import/rejected', load: () => import('./pages/import-rejected.tsx') },
  { path: '/import/:id', load: () => import('./pages/import-file.tsx') },
  {
    path: '/review',
    load: () => import('./pages/needs-you.tsx'),
    nav: { label: 'Review', icon: 'questions', href: '/review', isOfYear: true, onPhone: true },
  },
  {
    path: '/transactions',
    load: () => import('./pages/transactions.tsx'),
    nav: { label: 'Transactions', icon: 'transactions', href: '/transactions', isOfYear: true, onPhone: true },
  },
  {
    path: '/forms/8949',
    load: () => import('./pages/lines.tsx'),
    nav: { label: 'Form 8949', icon: 'lines', href: '/forms/8949', isOfYear: true },
  },
  {
    path: '/holdings',
    load: () => import('./pages/lots.tsx'),
    nav: { label: 'Holdings', icon: 'lots', href: '/holdings' },
  },
  { path: '/funds', load: () => import('./pages/funds.tsx') },
  {
    path: '/planning',
    load: () => import('./pages/plan.tsx'),
    nav: { label: 'Planning', icon: 'plan', href: '/planning' },
  },
  {
    path: '/forms',
    load: () => import('./pages/reports.tsx'),
    nav: { label: 'Forms', icon: 'reports', href: '/forms', isOfYear: true },
  },
  {
    path: '/forms/1099',
    load: () => import('./pages/reconcile.tsx'),
    nav: { label: '1099 check', icon: 'forms', href: '/forms/1099', isOfYear: true },
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
