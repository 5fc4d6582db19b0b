import { type AnyElysia, Elysia } from 'elysia';
import type { Deps } from './deps.ts';
import { issueKinds } from './engine/issue-kinds.ts';
import { lotMethods } from './engine/lot-methods.ts';
import { assetClasses, boxes } from './engine/statement-values.ts';
import { transactionTypes } from './engine/transaction-types.ts';
import { bulkClientRoutes } from './features/answers/bulk/bulk.routes.ts';
import { demoRoutes } from './features/answers/demo/demo.routes.ts';
import { keepDigests } from './features/answers/feed/digest/schedule.ts';
import { notifications } from './features/answers/feed/feed.routes.ts';
import { Reminders } from './features/answers/feed/reminders.ts';
import { helpRoutes } from './features/answers/help/help.routes.ts';
import { mcpRoutes } from './features/answers/mcp/mcp.routes.ts';
import { consentRoutes } from './features/answers/messages/consents/consents.routes.ts';
import { messages } from './features/answers/messages/messages.routes.ts';
import { statusRoutes } from './features/answers/status/status.routes.ts';
import { calculationRoutes } from './features/gains/calculations/calculations.routes.ts';
import { transactionRoutes } from './features/gains/explanations/transaction.routes.ts';
import { planningRoutes } from './features/gains/planning/planning.routes.ts';
import { reconciliationRoutes } from './features/gains/reconciliation.routes.ts';
import { createReports } from './features/gains/reports/create.ts';
import { RenderPool } from './features/gains/reports/render.ts';
import { reports } from './features/gains/reports/reports.routes.ts';
import { yearRoutes } from './features/gains/years/years.routes.ts';
import { accountRoutes } from './features/ledger/accounts/accounts.routes.ts';
import { allocationRoutes } from './features/ledger/allocation/allocation.routes.ts';
import { archiveRoutes } from './features/ledger/archives/archives.routes.ts';
import { assetRoutes } from './features/ledger/assets.routes.ts';
import { balanceRoutes } from './features/ledger/balances/balances.routes.ts';
import { keepBlobs } from './features/ledger/blobs/schedule.ts';
import { createTryChange } from './features/ledger/books/summaries/year-changes.ts';
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
import { keepErasures } from './features/people/auth/deletion/erasure.ts';
import { plans as planNames } from './features/people/auth/plan.ts';
import type { TimeZoneHook } from './features/people/auth/profile.ts';
import { providerRoutes } from './features/people/auth/provider.routes.ts';
import type { Endpoints } from './features/people/auth/provider-sign-in.ts';
import { endStreamsWithSessions } from './features/people/auth/session-ends.ts';
import { billingRoutes } from './features/people/billing/billing.routes.ts';
import { createSubscriptionPort } from './features/people/billing/subscription.ts';
import { clientRoutes } from './features/people/clients/clients.routes.ts';
import { deliverMails } from './features/people/mail/delivery.ts';
import { notificationKinds } from './features/people/notifications/notifications.queries.ts';
import { plans } from './features/people/plans/plans.routes.ts';
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
 * it. The comment above each feature lists its paths, which a test compares with the OpenAPI document.
 */
export const createApp = (ports: Deps, options: AppOptions = {}) => {
  const deps = { ...ports, database: withAuditRecording(ports.database) };
  // Runs in the transaction that changes the time zone because instants may fall on other days in the new zone.
  const onTimeZoneChange: TimeZoneHook = changeTimeZone;
  const tryChange = createTryChange(deps);
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
  const pool = new RenderPool();
  const importDeps = openImports(deps);

  const tax = new Elysia({ prefix: '/tax' })
    // /v1/tax/summary /v1/tax/years /v1/tax/gains /v1/tax/disposals /v1/tax/disposals/{id}/explain /v1/tax/lots
    // /v1/tax/opportunity-funds
    .use(yearRoutes(deps, access))
    // /v1/tax/forms
    .use(reconciliationRoutes(deps, access))
    // /v1/tax/years/{year}/lock /v1/tax/years/{year}/unlock /v1/tax/years/{year}/history /v1/tax/years/{year}/amendment
    // /v1/tax/years/{year}/review
    .use(lockRoutes(deps, access))
    // /v1/tax/notes /v1/tax/notes/{id}
    .use(noteRoutes(deps, access))
    // /v1/tax/holdings /v1/tax/holdings/history /v1/tax/what-if /v1/tax/harvest /v1/tax/year-end
    .use(planningRoutes(deps, access))
    // /v1/tax/issues /v1/tax/issues/causes /v1/tax/issues/causes/{id} /v1/tax/issues/resolve /v1/tax/issues/reopen /v1/tax/issues/{id}/resolve /v1/tax/issues/{id}/resolution /v1/tax/transfers/{id}
    .use(issueRoutes(deps, access))
    // /v1/tax/allocation
    .use(allocationRoutes(deps, access))
    // /v1/tax/accounts
    .use(accountRoutes(deps, access))
    // /v1/tax/assets
    .use(assetRoutes(deps, access))
    // /v1/tax/settings
    .use(settingsRoutes(deps, access))
    // /v1/tax/calculate /v1/tax/calculations/{id}
    .use(calculationRoutes(deps, access, createReports));

  const open = new Elysia()
    // /v1/plans
    .use(plans())
    // /v1/help /v1/help/{entry}
    .use(helpRoutes());

  const v1 = new Elysia({ prefix: '/v1' })
    // /v1/auth/register /v1/auth/login /v1/auth/logout /v1/auth/password /v1/auth/password/reset /v1/auth/password/reset/preview /v1/auth/password/reset/confirm
    // /v1/auth/reauthenticate /v1/auth/methods
    // /v1/auth/identities /v1/auth/identities/{provider} /v1/auth/login/factor /v1/auth/login/link /v1/auth/recovery-codes /v1/auth/passkeys /v1/auth/passkeys/{id} /v1/auth/passkeys/options /v1/auth/passkeys/sign-in /v1/auth/passkeys/sign-in/options
    // /v1/auth/email /v1/auth/email/confirm /v1/auth/email/undo /v1/auth/email/verification /v1/auth/email/verify /v1/auth/totp /v1/auth/totp/confirm /v1/auth/sessions /v1/auth/sessions/{id} /v1/account /v1/account/restore
    // /v1/auth/tokens /v1/auth/tokens/{id}
    .use(
      auth(deps, access, {
        onTimeZoneChange,
        tryChange,
        endpoints: options.endpoints,
        elsewhere,
      }),
    )
    // /v1/account/audit
    .use(auditRoutes(deps, access))
    .use(open)
    // /v1/notifications /v1/notifications/read /v1/notifications/{id}/read /v1/notifications/settings /v1/notifications/stream
    // /v1/notifications/unsubscribe
    .use(notifications(deps, access))
    // /v1/clients /v1/clients/{id} /v1/invitations /v1/invitations/{id} /v1/invitations/{id}/accept
    // /v1/invitations/{id}/decline /v1/invitations/{id}/link /v1/invitations/{id}/mail /v1/account/grants /v1/account/grants/{id}
    .use(clientRoutes(deps, access, { onTimeZoneChange, tryChange }))
    .use(tax)
    // /v1/transactions /v1/transactions/{id} /v1/transactions/{id}/revert /v1/transactions/bulk /v1/transactions/edits
    // /v1/transactions/edits/{id}/undo /v1/transactions/export /v1/transactions/days
    .use(transactions(deps, access, { recompute, tryChange }))
    .use(transactionRoutes(deps, access))
    // /v1/prices /v1/prices/needed /v1/prices/{id}
    .use(prices(deps, access, { recompute, tryChange }))
    // /v1/balances /v1/balances/import /v1/balances/{id}
    .use(balanceRoutes(deps, access, { recheck: recompute }))
    // /v1/transactions/import /v1/formats /v1/imports /v1/imports/{id} /v1/imports/{id}/changes /v1/imports/{id}/events
    // /v1/imports/{id}/file /v1/imports/{id}/reread /v1/imports/{id}/rejects /v1/imports/rejects /v1/imports/rejects/{id}
    // /v1/imports/mappings /v1/imports/mappings/{id} /v1/imports/possible-duplicates /v1/imports/possible-duplicates/{id}
    // /v1/imports/account-questions /v1/imports/account-questions/{id} /v1/imports/{id}/assign-accounts /v1/imports/{id}/restore
    .use(imports(importDeps, access))
    // /v1/tax/reports /v1/tax/reports/{id} /v1/tax/reports/{id}/download /v1/tax/reports/{id}/warnings
    .use(reports(deps, access, pool))
    // /v1/account/export
    .use(archiveRoutes(deps, access))
    // /v1/clients/calculate /v1/clients/reports
    .use(bulkClientRoutes(deps, access, { beforeBooks, pool }))
    // /v1/billing /v1/billing/checkout /v1/billing/portal /v1/billing/webhook
    .use(billingRoutes(deps, access))
    // /v1/ai/messages
    .use(messages(deps, access))
    // /v1/ai/consents /v1/ai/consents/{id}
    .use(consentRoutes(deps, access))
    // /v1/config /v1/policies /v1/status /v1/status/clients
    .use(statusRoutes(deps, access, { beforeBooks }))
    // /v1/auth/demo
    .use(demoRoutes(deps));

  let stopSweeping = (): void => {};
  const site = new Elysia(frameworkOptions)
    .use(framework(deps))
    // /livez /readyz /metrics
    .use(health(deps))
    // /docs
    .use(docs())
    // /auth/google /auth/google/callback /auth/github /auth/github/callback
    .use(providerRoutes(deps, options.endpoints))
    // /mcp
    .use(mcpRoutes(importDeps, access))
    // /v1/openapi.json
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
