import type { TestApp } from '../app.ts';

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
    Record<string, { readonly description?: string; readonly content?: Readonly<Record<string, ApiMedia>> }>
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

export async function readDocument(app: TestApp): Promise<ApiDocument> {
  return (await (await app.request('GET', '/v1/openapi.json')).json()) as ApiDocument;
}

export function operationsOf(document: ApiDocument): AddressedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}
