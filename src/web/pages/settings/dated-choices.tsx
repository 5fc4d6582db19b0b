import type { ComponentChildren } from 'preact';
import { RemoveButton } from './remove-button.tsx';

interface DatedChoicesProps {
  readonly title: string;
  readonly meaning: string;
  /** Said where there is none. */
  readonly none: string;
  readonly choices: readonly { readonly from: string; readonly text: string; readonly onRemove: () => void }[];
  /** The fields of another one. */
  readonly children: ComponentChildren;
  readonly canAdd: boolean;
  readonly onAdd: () => void;
  /** What would change, once something is given. */
  readonly change: ComponentChildren;
}

/** An election that becomes another one from a time on: those that are made, and one more. */
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
              <RemoveButton of={`what counts from ${from} on: ${title}`} onRemove={onRemove} />
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
            See what changes
          </button>
        </form>
      </div>
      {change}
    </div>
  );
}
