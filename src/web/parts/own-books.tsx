import type { ComponentChildren } from 'preact';
import { useReadOnly } from '../api/books.ts';

interface OwnBooksProps {
  readonly children: ComponentChildren;
  /** Something was typed or tried: say why it cannot be kept. */
  readonly isSaid?: boolean;
}

/** Acts that change the books. Where the books are only to be looked at, they are left out. */
export function OwnBooks({ children, isSaid = false }: OwnBooksProps) {
  const reason = useReadOnly();
  if (reason === null) return <>{children}</>;
  return isSaid ? <ReadOnlyReason /> : null;
}

/** Why the books are only to be looked at, and the way out. Nothing where they are not. */
export function ReadOnlyReason() {
  const reason = useReadOnly();
  if (reason === null) return null;
  return (
    <span class="fine">
      {reason === 'demo' && (
        <>
          Read-only: these are the demo books. <a href="/register">Create an account</a> to keep your own.
        </>
      )}
      {reason === 'viewer' && 'Read-only: you are viewer in these books. Ask their owner for another role.'}
      {reason === 'plan' && (
        <>
          Read-only: you have more clients than your plan. <a href="/account">See the plans</a>
        </>
      )}
    </span>
  );
}
