import type { ComponentChildren } from 'preact';
import { account } from '../api/session.ts';

interface OwnBooksProps {
  readonly children: ComponentChildren;
  /** Something was typed or tried: say why it cannot be kept. */
  readonly isSaid?: boolean;
}

/** Acts that change the books. The demo books are only to be looked at: there they are left out. */
export function OwnBooks({ children, isSaid = false }: OwnBooksProps) {
  if (account.value?.demo !== true) return <>{children}</>;
  if (!isSaid) return null;
  return (
    <span class="fine">
      Read-only: these are the demo books. <a href="/register">Create an account</a> to keep your own.
    </span>
  );
}
