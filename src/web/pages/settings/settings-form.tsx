import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { booksChanged, request } from '../../api/api.ts';
import { type Problem, toProblem } from '../../api/problem.ts';
import { previewSettings, type SettingsPatch, saveSettings } from '../../api/settings.ts';
import { say } from '../../api/toasts.ts';
import { formatCount } from '../../format/amounts.ts';
import { ActionButton, Button, Icon, useAction } from '../../parts/button.tsx';
import { type Declarations, type FieldValues, Form, useFields } from '../../parts/form.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { ProblemNotice, Waiting } from '../../parts/page.tsx';
import type { ColumnSpec } from '../../parts/tables/table.tsx';
import { type PreviewedYear, YearsPreview } from '../../parts/years-preview.tsx';

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
          <Button label="Close" onClick={onClose} />
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

interface SettingsChangeProps {
  /** The change to preview. The preview reloads whenever the change differs. */
  readonly patch: SettingsPatch;
  /** The message after saving: "The method is HIFO." */
  readonly said: string;
  /** Called after saving or canceling. */
  readonly onClose: () => void;
}

/** Previews the effect of a settings change on each year, in dollars, with a save button. */
function SettingsChange({ patch, said, onClose }: SettingsChangeProps) {
  const { years, problem } = useTried(patch);
  const { act, problem: refusal, isBusy } = useAction();
  const save = async () => {
    const isDone = await act(async () => say(said, await saveSettings(patch)));
    if (isDone) onClose();
  };
  const shown = refusal ?? problem;
  return (
    <div class="answer">
      <div role="status" aria-live="polite">
        {shown === null && years === null && <Waiting lines={2} />}
        {shown === null && years !== null && <YearsPreview years={years} />}
      </div>
      {shown !== null && <ProblemNotice problem={shown} />}
      <p class="actions">
        <OwnBooks isSaid>
          <Button
            label={isBusy ? 'Recalculating…' : 'Save'}
            class="primary"
            aria-disabled={isBusy}
            disabled={years === null}
            onClick={() => void save()}
          />
        </OwnBooks>
        <Button label="Cancel" onClick={onClose} />
      </p>
    </div>
  );
}

/** Milliseconds without typing before the preview loads. */
const pause = 350;

function useTried(patch: SettingsPatch): { years: readonly PreviewedYear[] | null; problem: Problem | null } {
  const [tried, setTried] = useState<ReturnType<typeof useTried>>({ years: null, problem: null });
  const text = JSON.stringify(patch);
  useEffect(() => {
    let isCurrent = true;
    setTried({ years: null, problem: null });
    const timer = setTimeout(async () => {
      try {
        const years = await previewSettings(patch);
        if (isCurrent) setTried({ years, problem: null });
      } catch (error) {
        if (isCurrent) setTried({ years: null, problem: toProblem(error) });
      }
    }, pause);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text]);
  return tried;
}

/** The column of buttons that remove an item. `of` names it for screen readers: "the price of BTC on May 3, 2024". */
export function removeColumn<Row>(
  of: (row: Row) => string,
  remove: (row: Row) => unknown,
  isRemovable: (row: Row) => boolean = () => true,
): ColumnSpec<Row> {
  const cell = (row: Row) =>
    isRemovable(row) && (
      <OwnBooks>
        <RemoveButton of={of(row)} onRemove={async () => remove(row)} />
      </OwnBooks>
    );
  return { head: 'Remove', kind: 'buttons', cell: (row) => cell(row) || null };
}

/** The button that removes an item of a list. */
export function RemoveButton({ of, onRemove }: { readonly of: string; readonly onRemove: () => Promise<unknown> }) {
  return <ActionButton icon="remove" class="plain" aria-label={`Remove ${of}`} act={onRemove} />;
}

/** The API's result for an uploaded CSV. */
interface CsvStored {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly rejects: readonly { readonly line: number; readonly column: string | null; readonly reason: string }[];
}

interface CsvUploadProps {
  readonly label: string;
  /** The columns, shown below the upload. */
  readonly hint: string;
  readonly path: string;
}

/** Uploads a small CSV and shows the stored and rejected rows. */
export function CsvUpload({ label, hint, path }: CsvUploadProps) {
  const [stored, setStored] = useState<CsvStored | null>(null);
  const { act, problem, isBusy } = useAction();
  const send = async (file: File) => {
    const headers = { 'content-type': 'text/csv' };
    const response = await request(path, { method: 'POST', headers, body: file });
    setStored((await response.json()) as CsvStored);
    booksChanged();
  };
  return (
    <div class="csv-upload">
      <OwnBooks>
        <label class="button">
          <Icon name="import" /> {isBusy ? 'Please wait…' : label}
          <input
            class="visually-hidden"
            type="file"
            accept=".csv,text/csv"
            aria-disabled={isBusy}
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? [];
              event.currentTarget.value = '';
              if (file !== undefined) void act(() => send(file));
            }}
          />
        </label>
      </OwnBooks>
      <p class="fine">{hint}</p>
      <div role="status" aria-live="polite">
        {stored !== null && (
          <p>
            {formatCount(stored.added, 'row')} new, {stored.updated} changed, {stored.unchanged} unchanged,{' '}
            {stored.rejected} not understood.
          </p>
        )}
      </div>
      {stored !== null && stored.rejects.length > 0 && (
        <ul>
          {stored.rejects.map(({ line, column, reason }) => (
            <li key={`${line} ${column}`}>
              Line {line}
              {column !== null && `, ${column}`}: {reason}
            </li>
          ))}
        </ul>
      )}
      {problem !== null && <ProblemNotice problem={problem} />}
    </div>
  );
}
