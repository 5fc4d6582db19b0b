import { expect, test } from 'bun:test';
import { readDocument } from '../support/walk/api-document.ts';

interface Promised {
  /** Names of query parameters. */
  readonly query?: readonly string[];
  /** Allowed values of a parameter. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** Fields of the request body. */
  readonly body?: readonly string[];
  /** Fields of the response, or of its items if it is a list. */
  readonly answer?: readonly string[];
}

const path = {} satisfies Promised;
const list = { query: ['limit', 'cursor'] } satisfies Promised;

/** The public contract: every path and, for some paths, the parameters and fields that clients rely on. */
const promised: Readonly<Record<string, Promised>> = {
  'POST /auth/register': { body: ['email', 'password'] },
  'POST /auth/login': { body: ['email', 'password', 'totp'] },
  'POST /auth/logout': path,
  'GET /auth/sessions': path,
  'DELETE /auth/sessions/{id}': path,
  'POST /auth/password': { body: ['current', 'password'] },
  'POST /auth/password/reset': { body: ['email'] },
  'POST /auth/password/reset/confirm': { body: ['token', 'password'] },
  'POST /auth/totp': path,
  'POST /auth/totp/confirm': path,
  'DELETE /auth/totp': path,
  'GET /account': { answer: ['id', 'email', 'name', 'taxpayerName', 'timeZone', 'plan', 'usage'] },
  'PATCH /account': path,
  'DELETE /account': path,
  'GET /plans': path,
  'GET /clients': { ...list, answer: ['id', 'name', 'createdAt', 'transactions', 'years'] },
  'POST /clients': path,
  'GET /clients/{id}': path,
  'PATCH /clients/{id}': path,
  'DELETE /clients/{id}': path,
  'POST /transactions/import': {
    query: ['format', 'account', 'timeZone', 'dryRun', 'client'],
    answer: ['id', 'status', 'fileName', 'rows', 'imported', 'duplicates', 'skipped', 'rejected', 'years', 'issues'],
  },
  'GET /imports': list,
  'GET /imports/{id}': path,
  'DELETE /imports/{id}': path,
  'GET /imports/{id}/events': path,
  'GET /imports/{id}/rejects': path,
  'GET /imports/{id}/file': path,
  'POST /imports/{id}/reread': { body: ['apply'], answer: ['applied', 'import', 'changes', 'years'] },
  'GET /imports/rejects': {
    ...list,
    answer: ['importId', 'line', 'column', 'reason', 'text', 'header', 'amount', 'year', 'state'],
  },
  'POST /imports/rejects/{id}': path,
  'GET /formats': path,
  'GET /transactions': {
    query: 'from to asset type account importId year needsReview q sort count ids limit cursor client'.split(' '),
    values: { sort: ['date', '-date', 'amount', '-amount', 'asset', '-asset'] },
    answer: ['id', 'date', 'type', 'account', 'asset', 'quantity', 'amount', 'fee', 'source', 'review'],
  },
  'POST /transactions': path,
  'POST /transactions/bulk': { body: ['ids', 'filter', 'set', 'delete'] },
  'GET /transactions/{id}': path,
  'PATCH /transactions/{id}': path,
  'DELETE /transactions/{id}': path,
  'POST /transactions/{id}/revert': path,
  'GET /transactions/export': path,
  'GET /tax/summary': {
    query: ['year'],
    answer:
      'year method shortTerm longTerm total washSaleDisallowed boxes assets income carryover issues revision asOf'.split(
        ' ',
      ),
  },
  'GET /tax/years': path,
  'POST /tax/calculate': {
    body: ['year', 'method', 'dryRun'],
    answer: 'id status revision transactions disposals openLots durationMs years differences reports'.split(' '),
  },
  'GET /tax/calculations/{id}': path,
  'GET /tax/disposals': {
    query: ['year', 'asset', 'account', 'term', 'box', 'code', 'importId', 'q', 'sort'],
    answer:
      'id asset account quantity acquired heldSince sold proceeds basis code adjustment gain term box saleId lotId'.split(
        ' ',
      ),
  },
  'GET /tax/disposals/{id}/explain': path,
  'GET /tax/lots': {
    query: ['asset', 'account', 'asOf'],
    answer: ['id', 'asset', 'account', 'quantity', 'acquired', 'heldSince', 'basis', 'longTermOn'],
  },
  'GET /tax/settings': {
    answer:
      'method methodByAccount methodFrom digitalAssetScopeBefore2025 washSales accounts wholeDollars filingStatus'.split(
        ' ',
      ),
  },
  'PATCH /tax/settings': path,
  'POST /tax/what-if': { body: ['sales'] },
  'GET /tax/harvest': { query: ['year'] },
  'POST /tax/years/{year}/lock': path,
  'POST /tax/years/{year}/unlock': path,
  'GET /tax/issues': list,
  'POST /tax/issues/resolve': { body: ['ids', 'filter', 'action', 'note'] },
  'POST /tax/issues/{id}/resolve': path,
  'GET /tax/allocation': path,
  'POST /tax/allocation': path,
  'GET /prices': path,
  'POST /prices': path,
  'GET /prices/needed': path,
  'GET /balances': { answer: ['account', 'asset', 'on', 'quantity'] },
  'POST /balances': path,
  'DELETE /balances/{id}': path,
  'GET /tax/accounts': path,
  'GET /tax/assets': path,
  'PATCH /tax/assets': path,
  'GET /tax/holdings': { query: ['asOf', 'asset', 'by'], values: { by: ['asset', 'account'] } },
  'GET /tax/gains': {
    query: ['from', 'to', 'by'],
    values: { by: ['day', 'month', 'year', 'asset', 'account', 'type'] },
  },
  'GET /tax/forms': { query: ['year'] },
  'POST /tax/reports': { body: ['year'] },
  'GET /tax/reports': { ...list, answer: ['id', 'year', 'revision', 'stale', 'createdAt', 'formats'] },
  'GET /tax/reports/{id}': path,
  'GET /tax/reports/{id}/download': {
    query: ['format'],
    values: { format: ['8949', 'txf', 'pdf', 'csv', 'turbotax', 'taxact', 'json'] },
  },
  'GET /config': { answer: ['version', 'providers', 'assistant', 'billing', 'mail', 'demo', 'limits'] },
  'GET /status': path,
  'GET /notifications': {
    query: ['unread', 'limit', 'cursor'],
    answer: ['id', 'kind', 'title', 'body', 'link', 'createdAt', 'readAt'],
  },
  'GET /notifications/settings': path,
  'PATCH /notifications/settings': path,
  'POST /notifications/unsubscribe': path,
  'POST /notifications/{id}/read': path,
  'POST /notifications/read': path,
  'GET /notifications/stream': path,
  'POST /ai/messages': { body: ['content'], answer: ['id', 'role', 'content', 'citations', 'usage'] },
  'GET /ai/messages': list,
};

interface JsonSchema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly string[];
}
type Content = Readonly<Record<string, { readonly schema?: JsonSchema }>>;
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: JsonSchema }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

const document: { readonly paths: object; readonly components: { readonly schemas: object } } = await readDocument();
const paths = document.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
const schemas = document.components.schemas as Readonly<Record<string, JsonSchema>>;

test('the document contains every promised path with its parameters and fields', () => {
  const missing = Object.entries(promised).flatMap(([name, expected]) => {
    const [method = '', address = ''] = name.split(' ');
    const operation = paths[`/v1${address}`]?.[method.toLowerCase()];
    return operation === undefined ? [name] : lacking(operation, expected).map((what) => `${name}: ${what}`);
  });
  expect(missing).toEqual([]);
});

function lacking(operation: Operation, { query = [], values = {}, body = [], answer = [] }: Promised): string[] {
  const parameters = new Map((operation.parameters ?? []).map((one) => [one.name, one.schema ?? {}]));
  const answered = ['200', '201'].flatMap((status) => membersOf(operation.responses[status]?.content));
  const sent = membersOf(operation.requestBody?.content);
  return [
    ...query.filter((parameter) => !parameters.has(parameter)).map((parameter) => `?${parameter}`),
    ...Object.entries(values).flatMap(([parameter, wanted]) => {
      const known = resolved(parameters.get(parameter) ?? {});
      const words = known.enum ?? known.items?.enum ?? [];
      return wanted.filter((value) => !words.includes(value)).map((value) => `?${parameter}=${value}`);
    }),
    ...body.filter((member) => !sent.includes(member)).map((member) => `body.${member}`),
    ...answer.filter((member) => !answered.includes(member)).map((member) => `answer.${member}`),
  ];
}

/** Returns the fields of a schema, or of its items if it is a list. */
function membersOf(content: Content | undefined): string[] {
  const schema = resolved(content?.['application/json']?.schema ?? {});
  const data = schema.properties?.data;
  const items = data === undefined ? undefined : resolved(resolved(data).items ?? {});
  return Object.keys((items ?? schema).properties ?? {});
}

function resolved(schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : resolved(schemas[name] ?? {});
}
