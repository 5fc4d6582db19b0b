import type { ComponentChildren } from 'preact';
import { useReadOnly } from '../api/books.ts';

interface OwnBooksProps {
  readonly children: ComponentChildren;
  /** Whether to show the reason because the user has entered something that cannot be saved. */
  readonly isSaid?: boolean;
}

/** Shows actions that change the books, and hides them if the books are read-only. */
export function OwnBooks({ children, isSaid = false }: OwnBooksProps) {
  const reason = useReadOnly();
  if (reason === null) return <>{children}</>;
  return isSaid ? <ReadOnlyReason /> : null;
}

/** Explains why the books are read-only and what the user can do. Renders nothing otherwise. */
export function ReadOnlyReason() {
  const reason = useReadOnly();
  if (reason === null) return null;
  return (
    <span class="fine">
      {reason === 'demo' && (
        <>
          Read-only: this is the demo. <a href="/register">Create an account</a> to save your own data.
        </>
      )}
      {reason === 'viewer' && 'Read-only: your role here is viewer. Ask the owner for another role.'}
      {reason === 'plan' && (
        <>
          Read-only: you have more clients than your plan allows. <a href="/account/plan">See plans</a>
        </>
      )}
    </span>
  );
}
