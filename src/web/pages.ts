import type { ComponentType } from 'preact';

/** A page and its route. */
interface PageEntry {
  /** The route, with parameters such as `:id`. */
  readonly path: string;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
  /** Whether the page requires no session. */
  readonly isPublic?: true;
  /** Shows the tax year, which its URL names. */
  readonly isOfYear?: true;
}

/** Every page of the client. The file of a page is a chunk, loaded when the page is first opened. */
export const pages: readonly PageEntry[] = [
  { path: '/', load: () => import('./pages/start.tsx'), isPublic: true },
  { path: '/sign-in', load: () => import('./pages/sign-in.tsx'), isPublic: true },
  { path: '/sign-in/link', load: () => import('./pages/mailed-links.tsx'), isPublic: true },
  { path: '/register', load: () => import('./pages/register.tsx'), isPublic: true },
  { path: '/email/confirm', load: () => import('./pages/mailed-links.tsx'), isPublic: true },
  { path: '/email/undo', load: () => import('./pages/mailed-links.tsx'), isPublic: true },
  { path: '/email/verify', load: () => import('./pages/mailed-links.tsx'), isPublic: true },
  { path: '/reset', load: () => import('./pages/reset.tsx'), isPublic: true },
  { path: '/reset/confirm', load: () => import('./pages/reset/confirm.tsx'), isPublic: true },
  { path: '/account/restore', load: () => import('./pages/mailed-links.tsx'), isPublic: true },
  { path: '/unsubscribe', load: () => import('./pages/mailed-links.tsx'), isPublic: true },
  { path: '/invitations/:id', load: () => import('./pages/invitation.tsx') },
  { path: '/privacy', load: () => import('./pages/policy.tsx'), isPublic: true },
  { path: '/terms', load: () => import('./pages/policy.tsx'), isPublic: true },
  { path: '/help/:id?', load: () => import('./pages/help.tsx'), isPublic: true },
  { path: '/authorize', load: () => import('./pages/authorize.tsx') },
  { path: '/auth/callback', load: () => import('./pages/callback.tsx'), isPublic: true },
  { path: '/overview', load: () => import('./pages/year.tsx'), isOfYear: true },
  { path: '/welcome', load: () => import('./pages/first-run.tsx') },
  { path: '/import', load: () => import('./pages/import.tsx') },
  { path: '/import/rejected', load: () => import('./pages/import-rejected.tsx') },
  { path: '/import/connections', load: () => import('./pages/import-connections.tsx') },
  { path: '/import/:id', load: () => import('./pages/import-file.tsx') },
  { path: '/review', load: () => import('./pages/review.tsx'), isOfYear: true },
  { path: '/transactions', load: () => import('./pages/transactions.tsx'), isOfYear: true },
  { path: '/forms/8949', load: () => import('./pages/lines.tsx'), isOfYear: true },
  { path: '/holdings', load: () => import('./pages/lots.tsx') },
  { path: '/funds', load: () => import('./pages/funds.tsx'), isOfYear: true },
  { path: '/planning', load: () => import('./pages/plan.tsx') },
  { path: '/forms', load: () => import('./pages/reports.tsx'), isOfYear: true },
  { path: '/forms/1099', load: () => import('./pages/reconcile.tsx'), isOfYear: true },
  { path: '/forms/notice', load: () => import('./pages/notice.tsx'), isOfYear: true },
  { path: '/assistant', load: () => import('./pages/assistant.tsx') },
  { path: '/notifications', load: () => import('./pages/notifications.tsx') },
  { path: '/clients', load: () => import('./pages/clients.tsx') },
  { path: '/settings/:part?', load: () => import('./pages/settings.tsx') },
  { path: '/account/data', load: () => import('./pages/account/data.tsx') },
  { path: '/account/audit', load: () => import('./pages/account/audit.tsx') },
  { path: '/account/tokens', load: () => import('./pages/account/tokens.tsx') },
  { path: '/account/:part?', load: () => import('./pages/account.tsx') },
];
