import { type AnyElysia, Elysia } from 'elysia';
import type { Deps } from './deps.ts';
import { issueKinds } from './engine/issue-kinds.ts';
import { lotMethods } from './engine/lot-methods.ts';
import { assetClasses, boxes } from './engine/statement-values.ts';
import { transactionTypes } from './engine/transaction-types.ts';
import { bulkClientRoutes } from './features/answers/bulk.routes.ts';
import { demoRoutes } from './features/answers/demo/demo.routes.ts';
import { keepDigests } from './features/answers/feed/digest.ts';
import { notifications } from './features/answers/feed/feed.routes.ts';
import { Reminders } from './features/answers/feed/reminders.ts';
import { helpRoutes } from './features/answers/help/help.routes.ts';
import { mcpRoutes } from './features/answers/mcp/mcp.routes.ts';
import { consentRoutes } from './features/answers/messages/consents.routes.ts';
import { messages } from './features/answers/messages/messages.routes.ts';
import { statusRoutes } from './features/answers/status/status.routes.ts';
import { calculationRoutes } from './features/gains/calculations.routes.ts';
import { transactionRoutes } from './features/gains/explanations/transaction.routes.ts';
import { planningRoutes } from './features/gains/planning/planning.routes.ts';
import { reconciliationRoutes } from './features/gains/reconciliation.routes.ts';
import { createReports } from './features/gains/reports/create.ts';
import { noticeRoutes } from './features/gains/reports/notice.routes.ts';
import { RenderPool } from './features/gains/reports/render.ts';
import { reports } from './features/gains/reports/reports.routes.ts';
import { yearRoutes } from './features/gains/years/years.routes.ts';
import { accountRoutes } from './features/ledger/accounts.routes.ts';
import { allocationRoutes } from './features/ledger/allocation/allocation.routes.ts';
import { archiveRoutes } from './features/ledger/archives/archives.routes.ts';
import { assetRoutes } from './features/ledger/assets.routes.ts';
import { balanceRoutes } from './features/ledger/balances/balances.routes.ts';
import { keepBlobs } from './features/ledger/blobs/collect.ts';
import { createTryChange } from './features/ledger/books/summaries.ts';
import { connectionRoutes } from './features/ledger/connections/connections.routes.ts';
import { imports } from './features/ledger/imports/imports.routes.ts';
import { openImports } from './features/ledger/imports/open.ts';
import { issueRoutes } from './features/ledger/issues/issues.routes.ts';
import { lockRoutes } from './features/ledger/locks/locks.routes.ts';
import { noteRoutes } from './features/ledger/locks/notes.routes.ts';
import { prices } from './features/ledger/prices/prices.routes.ts';
import { recompute } from './features/ledger/recompute/recompute.ts';
import { BooksRenewal } from './features/ledger/recompute/renewal.ts';
import { settingsRoutes } from './features/ledger/settings/settings.routes.ts';
import { changeTimeZone } from './features/ledger/settings/settings.ts';
import { transactions } from './features/ledger/transactions/transactions.routes.ts';
import { auditRoutes } from './features/people/audit.routes.ts';
import { createAccess } from './features/people/auth/access.ts';
import { auth } from './features/people/auth/auth.routes.ts';
import { keepErasures } from './features/people/auth/deletion.ts';
import { plans as planNames } from './features/people/auth/plan.ts';
import { oauthRoutes } from './features/people/auth/programs/oauth.routes.ts';
import { providerRoutes } from './features/people/auth/provider.routes.ts';
import type { Endpoints } from './features/people/auth/provider-sign-in.ts';
import { endStreamsWithSessions } from './features/people/auth/session.ts';
import { billingRoutes } from './features/people/billing/billing.routes.ts';
import { createSubscriptionPort } from './features/people/billing/subscription.ts';
import { clientRoutes } from './features/people/clients/clients.routes.ts';
import { deliverMails } from './features/people/mail/delivery.ts';
import { notificationKinds } from './features/people/notifications.queries.ts';
import { plans } from './features/people/plans.routes.ts';
import { reportFormats } from './forms/index.ts';
import { filingStatuses } from './forms/report.ts';
import { withAuditRecording } from './http/audit/recorded.ts';
import { framework, frameworkOptions } from './http/framework.ts';
import { guard } from './http/guard.ts';
import { health } from './http/health.ts';
import { keepKeysSwept } from './http/idempotency.ts';
import { docs } from './http/openapi/docs.ts';
import { openapi } from './http/openapi/openapi.ts';

/** Names for these enumerations in the OpenAPI document. */
const namedWords = {
  AssetClass: assetClasses,
  FilingStatus: filingStatuses,
  Form8949Box: boxes,
  IssueKind: issueKinds,
  LotMethod: lotMethods,
  NotificationKind: notificationKinds,
  PlanName: planNames,
  ReportFormat: reportFormats.map(({ id }) => id),
  TransactionType: transactionTypes,
} as const;

export interface AppOptions {
  /** Addresses of the sign-in providers. Tests use local substitutes. */
  readonly endpoints?: Endpoints;
}

/**
 * Creates the whole API: a function from Request to Response. Tests call it without a socket, and `main` listens with
 * it. `lotbook openapi` lists all paths.
 */
export const createApp = (ports: Deps, options: AppOptions = {}) => {
  const deps = { ...ports, database: withAuditRecording(ports.database) };
  // The hook runs in the transaction that changes the time zone, because instants may fall on other days in the new zone.
  const zoneHooks = { onTimeZoneChange: changeTimeZone, tryChange: createTryChange(deps) };
  const renewal = new BooksRenewal(deps);
  const reminders = new Reminders(deps);
  const beforeBooks = async (taxpayerId: string) => {
    await renewal.renewBeforeUse(taxpayerId);
    await reminders.remindBeforeUse(taxpayerId);
  };
  const elsewhere = createSubscriptionPort(deps);
  keepDigests(deps, beforeBooks);
  keepErasures(deps, elsewhere);
  keepBlobs(deps);
  deliverMails(deps);
  const access = createAccess(deps, beforeBooks);
  endStreamsWithSessions(deps);
  const changes = { recompute, tryChange: zoneHooks.tryChange };
  const pool = new RenderPool();
  const importDeps = openImports(deps);

  // The order of the routes is the order of the API document. One long chain would be too deep for the compiler.
  const people = new Elysia()
    .use(auth(deps, access, { ...zoneHooks, endpoints: options.endpoints, elsewhere }))
    .use(auditRoutes(access))
    .use(plans())
    .use(helpRoutes())
    .use(notifications(deps, access))
    .use(clientRoutes(deps, access, zoneHooks));
  const tax = new Elysia({ prefix: '/tax' })
    .use(yearRoutes(deps, access))
    .use(reconciliationRoutes(access))
    .use(lockRoutes(deps, access))
    .use(noteRoutes(deps, access))
    .use(planningRoutes(deps, access))
    .use(issueRoutes(deps, access))
    .use(allocationRoutes(deps, access))
    .use(accountRoutes(access))
    .use(assetRoutes(deps, access))
    .use(settingsRoutes(deps, access))
    .use(calculationRoutes(deps, access, createReports));
  const ledger = new Elysia()
    .use(transactions(deps, access, changes))
    .use(transactionRoutes(deps, access))
    .use(prices(deps, access, changes))
    .use(balanceRoutes(deps, access, { recheck: recompute }))
    .use(imports(importDeps, access))
    .use(connectionRoutes(importDeps, access))
    .use(reports(deps, access, pool))
    .use(noticeRoutes(deps, access, pool))
    .use(archiveRoutes(deps, access));
  const answers = new Elysia()
    .use(bulkClientRoutes(deps, access, { beforeBooks, pool }))
    .use(billingRoutes(deps, access))
    .use(messages(deps, access))
    .use(consentRoutes(deps, access))
    .use(statusRoutes(deps, access, { beforeBooks }))
    .use(demoRoutes(deps));
  const v1 = new Elysia({ prefix: '/v1' }).use(people).use(tax).use(ledger).use(answers);

  let stopSweeping = (): void => {};
  const site = new Elysia(frameworkOptions)
    .use(framework(deps))
    .use(health(deps))
    .use(docs())
    .use(providerRoutes(deps, options.endpoints))
    .use(mcpRoutes(importDeps, access))
    .use(oauthRoutes(deps))
    .use(openapi(() => root, namedWords))
    .onStart(() => {
      stopSweeping = keepKeysSwept(deps);
      void renewal.keepRenewing();
    })
    .onStop(() => stopSweeping());
  const app = site.use(v1);
  const root: AnyElysia = app;
  return guard(app, deps);
};
