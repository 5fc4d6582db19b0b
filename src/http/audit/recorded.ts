import type { Database, Sql, TransactionOptions } from '../../db/connection.ts';
import { type Actor, type AuditedRequest, currentAudit } from './audited-request.ts';
import { type EntryOfCaller, insertEntry, insertEntryOfUser } from './queries.ts';

/**
 * Adds an audit trail to a database. The first transaction of a request that changes something also writes the entry,
 * so there is never a change without an entry or an entry without its change.
 */
export function withAuditRecording(database: Database): Database {
  return {
    ...database,
    asTaxpayer: (taxpayerId, work, options) => {
      const audit = auditFor(options, (request) => request.recordedIn.includes(taxpayerId));
      if (audit === null) return database.asTaxpayer(taxpayerId, work, options);
      return withRecording((inner) => database.asTaxpayer(taxpayerId, inner, options), work, {
        audit,
        insert: async (sql, by) =>
          by.kind === 'caller' && (await insertEntry(sql, toAuditEntry(audit, by, taxpayerId))) ? taxpayerId : null,
      });
    },
    asService: (work, options) => {
      const audit = auditFor(options, (request) => request.recordedIn.length > 0);
      if (audit === null) return database.asService(work, options);
      return withRecording((inner) => database.asService(inner, options), work, {
        audit,
        insert: async (sql, by) => ((await insertAsService(sql, audit, by)) ? getTaxpayerId(by) : null),
      });
    },
  };
}

/** Writes the entry for a download, which changes nothing, in a separate transaction before it is sent. */
export async function recordDownload(database: Database, audit: AuditedRequest, response: Response): Promise<void> {
  const { by, books } = audit;
  if (!audit.isDownload || by?.kind !== 'caller' || !response.ok) return;
  for (const taxpayerId of books ?? [by.taxpayerId]) {
    await database.asTaxpayer(taxpayerId, (sql) => insertEntry(sql, toAuditEntry(audit, by, taxpayerId)));
  }
}

/** Returns the request that a transaction must record, or null if there is none or it is already recorded. */
function auditFor(
  options: TransactionOptions | undefined,
  isRecorded: (audit: AuditedRequest) => boolean,
): AuditedRequest | null {
  const audit = currentAudit();
  const isNone = audit === null || audit.isDownload || options?.readOnly === true;
  return isNone || isRecorded(audit) ? null : audit;
}

interface Recording {
  readonly audit: AuditedRequest;
  /** Returns the books that have the entry, or null if there was nothing to record. */
  readonly insert: (sql: Sql, by: Actor) => Promise<string | null>;
}

async function withRecording<T>(
  transact: (inner: (sql: Sql) => Promise<T>) => Promise<T>,
  work: (sql: Sql) => Promise<T>,
  { audit, insert }: Recording,
): Promise<T> {
  let recordedIn: string | null = null;
  const result = await transact(async (sql) => {
    const done = await work(sql);
    // Read late because the work itself may identify the user.
    if (audit.by !== null) recordedIn = await insert(sql, audit.by);
    return done;
  });
  if (recordedIn !== null) audit.recordedIn.push(recordedIn);
  return result;
}

function getTaxpayerId(by: Actor): string {
  return by.kind === 'caller' ? by.taxpayerId : by.userId;
}

function insertAsService(sql: Sql, audit: AuditedRequest, by: Actor): Promise<boolean> {
  if (by.kind === 'caller') return insertEntry(sql, toAuditEntry(audit, by, by.taxpayerId));
  const { action, subject, address, requestId } = audit;
  const actor = by.isProven ? 'user' : 'anyone';
  return insertEntryOfUser(sql, by.userId, { action, subject, actor, address, requestId });
}

function toAuditEntry(
  audit: AuditedRequest,
  by: Extract<Actor, { kind: 'caller' }>,
  taxpayerId: string,
): EntryOfCaller {
  const { action, subject, address, requestId, isDownload } = audit;
  const { userId, email, token } = by;
  const actor = token === null ? 'user' : 'token';
  return { taxpayerId, action, subject, address, requestId, isDownload, actor, userId, email, token };
}
