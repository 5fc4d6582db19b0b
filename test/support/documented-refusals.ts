import type { AnyElysia } from 'elysia';
import { getRequestFacts } from '../../src/http/requests.ts';

interface Described {
  readonly paths: Record<string, Record<string, { responses: Record<string, { description?: string }> }>>;
}

/**
 * Checks every error response in a test against the OpenAPI document: the operation must list the code at its status.
 */
export function documentedRefusals(app: AnyElysia) {
  return {
    expectDocumented: async (request: Request, response: Response): Promise<void> => {
      if (response.headers.get('content-type') !== 'application/problem+json' || response.body === null) return;
      const template = templateOf(request);
      if (template === null) return;
      const method = request.method === 'HEAD' ? 'get' : request.method.toLowerCase();
      const { code } = (await response.clone().json()) as { code: string };
      const refusals = await refusalsOf(app);
      const documented = refusals.get(`${method} ${template} ${response.status}`) ?? 'nothing';
      // The document covers neither pages nor itself.
      if (!refusals.has(`${method} ${template} 500`) || documented.includes(`\`${code}\``)) return;
      throw new Error(
        `${method} ${template} returned ${response.status} ${code}, but its document lists ${documented}`,
      );
    },
  };
}

/** Returns the route template, or null if there is no route or the request was refused before it was matched. */
function templateOf(request: Request): string | null {
  try {
    return getRequestFacts(request).route?.template.replace(/:(\w+)/g, '{$1}') ?? null;
  } catch {
    return null;
  }
}

/** Reads the document once for all applications with the same routes. */
function refusalsOf(app: AnyElysia): Promise<Map<string, string>> {
  const routes = app.routes.map(({ method, path }) => `${method} ${path}`).join('\n');
  const reading = documents.get(routes) ?? readRefusals(app);
  documents.set(routes, reading);
  return reading;
}

const documents = new Map<string, Promise<Map<string, string>>>();

/** Returns the documented response of each operation and status, keyed like `get /v1/clients/{id} 404`. */
async function readRefusals(app: AnyElysia): Promise<Map<string, string>> {
  const { openApiDocument } = await import('../../src/http/openapi/document.ts');
  const { paths } = openApiDocument(app, {}) as unknown as Described;
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { responses }]) =>
        Object.entries(responses).map(
          ([status, { description = '' }]) => [`${method} ${path} ${status}`, description] as const,
        ),
      ),
    ),
  );
}
