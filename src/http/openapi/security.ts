import { type Operation, tokenScopes } from '../operations/operations.ts';
import type { Json, JsonObject } from './document-schemas.ts';

/** The ways in which a request can authenticate. */
export const securitySchemes: JsonObject = {
  session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'Set by register and login.' },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'lot_…',
    description: `A token from POST /v1/auth/tokens, for programs: \`Authorization: Bearer lot_…\`, without a cookie. Each operation names the scopes that allow it, any of which is enough. The scopes: ${tokenScopes.map((scope) => `\`${scope}\``).join(', ')}. Operations without scopes accept only a session.`,
  },
};

/** Describes the authentication of an operation: none, session only, or session and tokens with one of the scopes. */
export function buildSecurity(operation: Operation | undefined): Json {
  if (operation === undefined || operation.scopes === null) return [];
  const tokens = operation.scopes.map((scope) => ({ bearer: [scope] }));
  return operation.isForPrograms === true ? tokens : [{ session: [] }, ...tokens];
}
