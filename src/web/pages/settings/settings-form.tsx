import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { SettingsPatch } from '../../api/settings.ts';
import { type Declarations, type FieldValues, Form, useFields } from '../../parts/form.tsx';
import { SettingsChange } from './settings-change.tsx';

interface SettingsFormProps<Fields extends Declarations> {
  /** Each field with its stored value. */
  readonly fields: Fields;
  /** FieldValues that the form proposes instead of the stored ones. */
  readonly proposed?: Partial<FieldValues<Fields>>;
  readonly patch: (values: FieldValues<Fields>) => SettingsPatch;
  /** The message after saving. */
  readonly said: string | ((values: FieldValues<Fields>) => string);
  /** Closes the form after saving or canceling. Without it, the form stays open. */
  readonly onClose?: () => void;
}

/** A form of settings. Once a value differs from the stored one, it previews the effect on each year, and can be saved. */
export function SettingsForm<const Fields extends Declarations>(props: SettingsFormProps<Fields>) {
  const { fields, proposed = {}, patch, said, onClose } = props;
  const draft = `settings ${Object.keys(fields)} ${typeof said === 'string' ? said : ''}`;
  const { values, isChanged, view, reset } = useFields(fields, draft, proposed as Partial<FieldValues<Fields>>);
  const close = () => {
    reset();
    onClose?.();
  };
  return (
    <>
      {view()}
      {isChanged && (
        <SettingsChange patch={patch(values)} said={typeof said === 'string' ? said : said(values)} onClose={close} />
      )}
      {!isChanged && onClose !== undefined && (
        <p class="actions">
          <button type="button" onClick={onClose}>
            Close
          </button>
        </p>
      )}
    </>
  );
}

interface SettingsListProps<Item, Fields extends Declarations> {
  readonly items: readonly Item[];
  /** Shows the items, each with a button that removes it. */
  readonly children: (remove: (item: Item) => void) => ComponentChildren;
  /** The fields of a new item. */
  readonly fields: Fields;
  readonly isReady?: (values: FieldValues<Fields>) => boolean;
  /** Adds a new item to the list. */
  readonly add: (values: FieldValues<Fields>) => readonly Item[];
  /** The change that stores a list. Null removes all items. */
  readonly patch: (items: Item[] | null) => SettingsPatch;
  readonly said: string;
}

/** A setting that is a list: its items, and a form that adds one after a preview. */
export function SettingsList<Item, const Fields extends Declarations>(props: SettingsListProps<Item, Fields>) {
  const { items, children, fields, isReady, add, patch, said } = props;
  const [changed, setChanged] = useState<readonly Item[] | null>(null);
  return (
    <>
      {children((item) => setChanged(items.filter((each) => each !== item)))}
      <Form
        fields={fields}
        verb="Preview"
        look=""
        keep={Object.keys(fields)}
        {...(isReady === undefined ? {} : { isReady })}
        onSubmit={async (values) => setChanged(add(values))}
      />
      {changed !== null && (
        <SettingsChange
          patch={patch(changed.length === 0 ? null : [...changed])}
          said={said}
          onClose={() => setChanged(null)}
        />
      )}
    </>
  );
}
