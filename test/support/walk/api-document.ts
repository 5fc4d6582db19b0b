import { createApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { createDeps, silentLog, systemClock } from '../../../src/deps.ts';
import { logMail } from '../../../src/features/people/mail/smtp.ts';
import { noDatabase } from '../no-database.ts';

/** The parts of the OpenAPI document from which tests are generated. */
export interface ApiDocument {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

export interface ApiOperation {
  readonly summary?: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, ApiMedia>> };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description?: string;
        readonly headers?: object;
        readonly content?: Readonly<Record<string, ApiMedia>>;
      }
    >
  >;
}

export interface ApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema?: object;
}

export interface ApiMedia {
  readonly schema?: object;
  readonly example?: unknown;
}

/** One operation with its address: `POST`, `/v1/tax/years/{year}/lock`. */
export interface AddressedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
}

export const documentedDeps = createDeps({
  config: loadConfig({}),
  database: noDatabase,
  clock: systemClock,
  assistant: null,
  mail: logMail(silentLog),
  billing: null,
  log: silentLog,
});

/** The API without a database. */
export const documentedApp = createApp(documentedDeps);

let reading: Promise<ApiDocument> | undefined;

/** Returns the document that `/v1/openapi.json` serves. */
export function readDocument(): Promise<ApiDocument> {
  reading ??= (async () => {
    await documentedApp.modules;
    const response = await documentedApp.fetch(new Request('http://localhost/v1/openapi.json'));
    return (await response.json()) as ApiDocument;
  })();
  return reading;
}

export function operationsOf(document: ApiDocument): AddressedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** Returns the name of an operation, such as `POST /v1/tax/years/{year}/lock`. */
export function nameOf({ method, path }: Pick<AddressedOperation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

export function isPublic({ security }: Pick<ApiOperation, 'security'>): boolean {
  return security.length === 0;
}

/** Returns true if the operation reads or changes books that the parameter `client` selects. */
export function isOnBooks({ parameters = [] }: Pick<ApiOperation, 'parameters'>): boolean {
  return parameters.some(({ name }) => name === 'client');
}
