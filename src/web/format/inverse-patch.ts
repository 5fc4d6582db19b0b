/** Returns the merge patch (RFC 7396) that undoes another one by restoring the former values. */
export function inversePatch(before: object, patch: object): Record<string, unknown> {
  const former = before as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(patch).map(([name, given]) => {
      const value = Object.hasOwn(former, name) ? former[name] : undefined;
      if (value === undefined) return [name, null];
      return [name, isRecord(value) && isRecord(given) ? inversePatch(value, given) : value];
    }),
  );
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
