import { useEffect, useState } from 'preact/hooks';

/**
 * Keeps form input across a reload and a sign-in, in this tab only. Call `forget` after sending. Never store passwords
 * here.
 */
export function useDraft<Fields extends object>(
  name: string,
  initial: Fields,
): [Fields, (change: Partial<Fields>) => void, () => void] {
  const key = `draft:${name}`;
  const [fields, setFields] = useState<Fields>(() => ({ ...initial, ...readStored(key) }));
  useEffect(() => {
    const isChanged = JSON.stringify(fields) !== JSON.stringify(initial);
    if (isChanged) sessionStorage.setItem(key, JSON.stringify(fields));
    else sessionStorage.removeItem(key);
  }, [fields]);
  return [
    fields,
    (change) => setFields((before) => ({ ...before, ...change })),
    () => {
      sessionStorage.removeItem(key);
      setFields(initial);
    },
  ];
}

function readStored(key: string): object {
  const text = sessionStorage.getItem(key);
  if (text === null) return {};
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? value : {};
}
