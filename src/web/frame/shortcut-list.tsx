import type { ComponentChildren } from 'preact';
import { usesShortcuts } from '../api/preferences.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Check } from '../parts/form.tsx';
import { closeDialog, commandKey, keyedPages } from './shortcuts.ts';

/** Lists the keyboard shortcuts, and switches single keys off for people who use speech or dictation. */
export default function ShortcutList() {
  return (
    <Dialog title="Keyboard shortcuts" onClose={closeDialog}>
      <div class="shortcuts">
        <Keys title="Anywhere">
          <Shortcut keys={[commandKey, 'K']} does="Search, also while typing" />
          <Shortcut keys={['/']} does="Search" />
          <Shortcut keys={['?']} does="Show this list" />
          <Shortcut keys={['Esc']} does="Close a panel or dialog" />
        </Keys>
        <Keys title="Transactions">
          <Shortcut keys={['↑', '↓']} does="Move between rows" />
          <Shortcut keys={['Enter']} does="Open the row" />
          <Shortcut keys={['Space']} does="Select the row" />
          <Shortcut keys={['Shift', '↓']} does="Select several rows" />
        </Keys>
        <Keys title="Go to">
          {keyedPages().map(({ key = '', href, label }) => (
            <Shortcut key={href} keys={['g', key]} does={label} />
          ))}
        </Keys>
      </div>
      <Check
        label={`Use shortcuts without ${commandKey}`}
        isOn={usesShortcuts.value}
        onInput={(isOn) => {
          usesShortcuts.value = isOn;
        }}
      />
      <p class="actions">
        <Button label="Close" onClick={closeDialog} />
      </p>
    </Dialog>
  );
}

function Keys({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>{children}</dl>
    </section>
  );
}

function Shortcut({ keys, does }: { readonly keys: readonly string[]; readonly does: string }) {
  return (
    <div>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{does}</dd>
    </div>
  );
}
