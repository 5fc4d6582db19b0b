import { permissionByOperation, resolvePermission } from '../../../src/features/people/auth/permissions.ts';
import { type OperationRule, operationNames, ruleOf } from '../../../src/http/operations/operations.ts';
import type { AddressedOperation } from './api-document.ts';

/** What the sources define about each operation. No other file of the walk imports these definitions. */

type Address = Pick<AddressedOperation, 'method' | 'path'>;

/** The names of all operations with a rule, like `GET /v1/clients/{id}`. */
export const operationsWithRule: readonly string[] = operationNames.map((name) => name.replace(/:(\w+)/g, '{$1}'));

/** The names of all operations that are listed with the permission that they require. */
export const operationsWithPermission: readonly string[] = Object.keys(permissionByOperation);

export function ruleFor(address: Address): OperationRule | undefined {
  return ruleOf(routeOf(address));
}

/** Returns the permission in the books that the operation requires. */
export function permissionFor(address: Address) {
  return resolvePermission(routeOf(address));
}

function routeOf({ method, path }: Address): { readonly method: string; readonly template: string } {
  return { method, template: path.replace(/\{(\w+)\}/g, ':$1') };
}
