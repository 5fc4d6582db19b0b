import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

interface NoticeProps {
  readonly children: ComponentChildren;
  /** A button beside the text. */
  readonly action?: ComponentChildren;
}

/** Something that the user should know before they go on. */
export function Notice({ children, action }: NoticeProps) {
  return (
    <div class="notice">
      <Icon name="warning" />
      <div>{children}</div>
      {action}
    </div>
  );
}
