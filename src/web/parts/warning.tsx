import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

/** A notice that something is missing or uncertain. */
export function Warning({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="notice">
      <Icon name="warning" />
      <div>{children}</div>
    </div>
  );
}
