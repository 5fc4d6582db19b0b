import type { ComponentChildren } from 'preact';
import { RemoveButton } from './remove-button.tsx';

interface DatedChoicesProps {
  readonly title: string;
  readonly meaning: string;
  /** Shown if there are none. */
  readonly none: string;
  readonly choices: readonly { readonly from: string; readonly text: string; readonly onRemove: () => void }[];
  /** The fields of a new choice. */
  readonly children: ComponentChildren;
  readonly canAdd: boolean;
  readonly onAdd: () => void;
  /** A preview of the change, once something is entered. */
  readonly change: ComponentChildren;
}

/** A choice that can change over time, with the existing entries and a form to add one. */
export function DatedChoices(props: DatedChoicesProps) {
  const { title, meaning, none, choices, children, canAdd, onAdd, change } = props;
  return (
    <div class="election">
      <div>
        <h3>{title}</h3>
        <p class="fine">{meaning}</p>
      </div>
      <div>
        {choices.length === 0 && <p class="fine">{none}</p>}
        <ul class="plain-list">
          {choices.map(({ from, text, onRemove }) => (
            <li key={from}>
              From {from}: {text}
              <RemoveButton of={`${title}: from ${from}`} onRemove={onRemove} />
            </li>
          ))}
        </ul>
        <form
          class="inline-form"
          onSubmit={(event) => {
            event.preventDefault();
            if (canAdd) onAdd();
          }}
        >
          {children}
          <button type="submit" disabled={!canAdd}>
            Preview
          </button>
        </form>
      </div>
      {change}
    </div>
  );
}
