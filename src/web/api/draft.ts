import { useLayoutEffect, useState } from 'preact/hooks';
import { clientId } from './page-url.ts';
import { account } from './session.ts';

/**
 * Keeps form input across a reload and a sign-in, in this tab only, for the user and the open books. Call `forget`
 * after sending. `kept` names the fields to store: never name passwords. A null name stores nothing.
 */
export function useDraft<Fields extends object>(
  name: string | null,
  initial: Fields,
  kept: readonly string[] | null = null,
): [Fields, (change: Partial<Fields>) => void, () => void] {
  const [key] = useState(() => `draft:${name} of ${account.peek()?.id} ${clientId.peek()}`);
  const [fields, setFields] = useState<Fields>(() => ({ ...initial, ...(name === null ? {} : readStored(key)) }));
  // Not a later effect: a reload right after the last key would lose that key.
  useLayoutEffect(() => {
    if (name === null) return;
    const text = JSON.stringify(fields, kept?.slice());
    if (text !== JSON.stringify(initial)) sessionStorage.setItem(key, text);
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
