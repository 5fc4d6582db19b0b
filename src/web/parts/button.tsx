import type { ComponentChildren, ComponentProps } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface Content {
  readonly label?: ComponentChildren;
  /** Shown before the label. A button of only an icon needs an `aria-label`. */
  readonly icon?: IconName | undefined;
}

function content({ icon, label }: Content) {
  if (icon === undefined) return label;
  return (
    <>
      <Icon name={icon} /> {label}
    </>
  );
}

/** A button, from the declaration of its icon and label. */
export function Button({ icon, label, ...rest }: Content & Omit<ComponentProps<'button'>, 'label' | 'icon'>) {
  return (
    <button type="button" {...rest}>
      {content({ icon, label })}
    </button>
  );
}

interface LinkButtonProps extends Content {
  readonly href: string;
  readonly isPrimary?: boolean;
  readonly target?: '_blank';
  readonly rel?: 'noopener';
  /** Downloads the page that it links to, under this name. */
  readonly download?: boolean | string;
  readonly onClick?: () => void;
}

/** A link that looks like a button. */
export function LinkButton({ icon, label, isPrimary = false, ...rest }: LinkButtonProps) {
  return (
    <a class={isPrimary ? 'button primary' : 'button'} {...rest}>
      {content({ icon, label })}
    </a>
  );
}
