import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ApiDocument, ApiOperation } from './api-document.ts';

/** Returns the undocumented part of a response with this body. Null if it matches the document. */
export type ResponseCheck = (
  operation: ApiOperation,
  response: Pick<Response, 'status' | 'headers'>,
  text: string,
) => string | null;

/** Checks responses against JSON Schema 2020-12, which OpenAPI 3.1 uses for its schemas. */
export function responseCheck(document: ApiDocument): ResponseCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', components: document.components });
  const known = new Map<object, ValidateFunction>();
  const validatorOf = (schema: object): ValidateFunction => {
    const found = known.get(schema);
    if (found !== undefined) return found;
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
    const made = ajv.compile(JSON.parse(text) as object);
    known.set(schema, made);
    return made;
  };
  return (operation, { status, headers }, text) => {
    const documented = operation.responses[String(status)];
    if (documented === undefined) return `status ${status} is not documented: ${text.slice(0, 300)}`;
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    if (documented.content === undefined)
      return text === '' ? null : `status ${status} has a body that is not documented`;
    const media = documented.content[type];
    if (media === undefined) return `status ${status} with ${type} is not documented`;
    if (!type.endsWith('json') || Object.keys(media.schema ?? {}).length === 0) return null;
    const validate = validatorOf(media.schema ?? {});
    if (validate(JSON.parse(text))) return null;
    const [error] = validate.errors ?? [];
    return `the body of ${status} does not match: ${error?.instancePath} ${error?.message} in ${text.slice(0, 300)}`;
  };
}
