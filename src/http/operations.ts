import { type Context, type TSchema, t } from 'elysia';
import type { AuditAction } from './audit-actions.ts';
import type { GroupName } from './openapi/groups.ts';
import { booksQuery, type closed } from './schemas.ts';

/** Permissions of a token. */
export const tokenScopes = ['read', 'import', 'write', 'reports'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/**
 * The permission that an operation on books requires. `read` includes downloads and calculations that store nothing.
 * `review` covers marking a year as reviewed, signing it off and locking it. `own` cannot be given to others.
 */
export const permissions = ['read', 'write', 'review', 'own'] as const;
export type Permission = (typeof permissions)[number];

/**
 * The verbs that ids of operations start with, so that a client can find an operation by its verb. Add one only if no
 * other verb covers it.
 */
export const operationVerbs = [
  ...(['get', 'list', 'create', 'update', 'delete'] as const),
  ...(['accept', 'calculate', 'decline', 'download', 'export', 'import', 'invite', 'lock', 'match'] as const),
  ...(['preview', 'reopen', 'reset', 'resolve', 'revoke', 'signIn', 'signOut', 'unlock', 'verify'] as const),
];
type OperationId = `${(typeof operationVerbs)[number]}${string}`;

/** Defines the users of an operation, and the entry that it writes to the audit trail. */
export interface Rule {
  /** A token needs one of these. Empty means session only, no tokens. Null means no authentication. */
  readonly scopes: readonly TokenScope[] | null;
  /** The permission that a user needs in the books of another user. Has no effect on other operations. */
  readonly permission: Permission;
  /** The action in the audit trail. Null if the operation changes nothing and returns nothing that must be recorded. */
  readonly action: AuditAction | null;
  /** The operation changes nothing, so it is recorded after the response. All others are recorded with their change. */
  readonly isDownload?: true;
  /** The operation accepts a token, but no session. */
  readonly isForPrograms?: true;
  /** The result outlives the session, so the operation requires a confirmed email address. */
  readonly needsVerifiedEmail?: true;
}

/** For operations on the account itself: changes that a token could not undo, or could use to gain permissions. */
export const person = (action: AuditAction | null): Rule => ({ scopes: [], permission: 'own', action });
/**
 * The same for results that outlive a session: another sign-in method, access for others, a subscription. A user who
 * registers another person's address must not keep access after the owner resets the password.
 */
export const lasting = (action: AuditAction | null): Rule => ({ ...person(action), needsVerifiedEmail: true });
export const read: Rule = { scopes: ['read'], permission: 'read', action: null };
export const write = (action: AuditAction): Rule => ({ scopes: ['write'], permission: 'write', action });
/** The rule for imports of files and lists. */
export const bringIn = (action: AuditAction): Rule => ({ scopes: ['import'], permission: 'write', action });
/** For the result of an upload, which its sender reads. */
export const followImport: Rule = { ...read, scopes: ['read', 'import'] };
export const readReport: Rule = { ...read, scopes: ['reports'] };
export const writeReport = (action: AuditAction): Rule => ({ ...write(action), scopes: ['reports'] });
export const recordedRead = (scopes: readonly TokenScope[], action: AuditAction): Rule => ({
  ...{ scopes, permission: 'read', action, isDownload: true },
});

/** The declaration of a route. The guard, access, the audit trail and the API document read it. */
export interface Operation extends Omit<Rule, 'permission'> {
  /** Null for an operation that is not on books. */
  readonly permission: Permission | null;
}

type Properties = Parameters<typeof t.Object>[0];

interface EndpointOptions {
  /** A heading in the API document, as an imperative. */
  readonly summary: string;
  readonly description?: string;
  /** Parts of the API document that no schema describes: the body of an upload, a file or a stream as the response. */
  readonly detail?: { readonly requestBody?: object; readonly responses?: object };
  /** Leave it out for a path with `:id`. */
  readonly params?: TSchema;
  /** The query parameters. Any other parameter is refused. */
  readonly query?: Properties;
  /** Parameters that are not in `query` are ignored. */
  readonly ignoresOtherParameters?: true;
  readonly body?: TSchema;
  readonly response?: Readonly<Record<number, TSchema>>;
  /** The handler reads the body itself, as a stream. */
  readonly parse?: 'none';
}

/** The options of the framework that concern types. */
type Hook<Options> = Omit<Options, 'summary' | 'description' | 'detail' | 'query' | 'ignoresOtherParameters'>;
type PropertiesIn<Options> = Options extends { readonly query: infer Query extends Properties } ? Query : NoProperties;
type NoProperties = Record<never, never>;
type ClosedQuery<Options> = Options extends { readonly query: Properties }
  ? { query: ReturnType<typeof closed<PropertiesIn<Options>>> }
  : NoProperties;
interface BooksQuery<Options> {
  query: ReturnType<typeof booksQuery<PropertiesIn<Options>>>;
}

/**
 * Returns the functions that declare the routes of one group of the API document. Each takes the id of the operation in
 * the document, who may use it, and the schemas, and returns the options of the route:
 *
 *     .delete('/:id', handler, onBooks('deletePrice', write('price_deleted'), { summary: 'Delete a price', … }))
 */
export function group(name: GroupName) {
  const declare = (operationId: OperationId, operation: Operation, options: EndpointOptions) => {
    const { summary, description, detail, query: _, ignoresOtherParameters: __, ...schemas } = options;
    const words = { summary, ...(description === undefined ? {} : { description }), operationId, tags: [name] };
    const isEmpty = schemas.response !== undefined && 204 in schemas.response;
    return {
      ...schemas,
      operation,
      detail: { ...words, ...detail },
      ...(isEmpty ? { afterHandle: setNoContent } : {}),
    };
  };
  return {
    /** Needs no session and ignores tokens. `action` is for the audit trail. */
    open: <Options extends EndpointOptions>(id: OperationId, action: AuditAction | null, options: Options) => {
      const rule = { scopes: null, permission: null, action };
      const hook = { ...declare(id, rule, options), ...closedQuery(options) };
      return hook as unknown as Hook<Options> & ClosedQuery<Options>;
    },
    /** The handler gets the `caller`. */
    signedIn: <Options extends EndpointOptions>(id: OperationId, rule: Rule, options: Options) => {
      const hook = { ...declare(id, { ...rule, permission: null }, options), ...closedQuery(options), signedIn: true };
      return hook as unknown as Hook<Options> & ClosedQuery<Options> & { signedIn: true };
    },
    /** The handler gets the `caller`, the `taxpayer` and its `books`, which `?client=` selects. */
    onBooks: <Options extends EndpointOptions>(id: OperationId, rule: Rule, options: Options) => {
      const hook = { ...declare(id, rule, options), query: booksQuery(options.query ?? {}), books: true };
      return hook as unknown as Hook<Options> & BooksQuery<Options> & { books: true };
    },
  };
}

/** A handler that returns nothing responds with 204 if its route declares that status. */
function setNoContent({ responseValue, set }: Pick<Context, 'set'> & { readonly responseValue: unknown }): void {
  if (responseValue === undefined) set.status = 204;
}

function closedQuery({ query: properties, ignoresOtherParameters }: EndpointOptions) {
  if (properties === undefined) return {};
  return { query: t.Object(properties, { additionalProperties: ignoresOtherParameters === true }) };
}
