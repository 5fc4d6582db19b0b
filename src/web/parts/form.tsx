import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useDraft } from '../api/draft.ts';
import { Button, useAction } from './button.tsx';
import { Choice, Field, type FieldProps } from './field.tsx';
import { OwnBooks } from './own-books.tsx';
import { ProblemNotice } from './page.tsx';

interface Common {
  readonly label: string;
  /** A text, or a function of the field's value. */
  readonly hint?: ComponentChildren | ((value: string) => ComponentChildren);
  readonly isHidden?: boolean;
  /** Fields of one group are folded under this heading. */
  readonly group?: string;
}

interface Option<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
  /** Explains an option of a list of checkboxes. */
  readonly means?: string;
}

type InputOptions = Omit<FieldProps, 'label' | 'value' | 'onInput' | 'hint' | 'problem'>;
type OwnFieldProps = Pick<FieldProps, 'label' | 'value' | 'onInput' | 'hint' | 'problem'>;

/** A field of a form. Its `value` is what the form starts with, and what it returns to after it was sent. */
type FieldDeclaration = Common &
  (
    | (InputOptions & { readonly value?: string; readonly options?: undefined; readonly view?: undefined })
    | { readonly type?: undefined; readonly options: readonly Option[]; readonly value?: string }
    | { readonly type: 'checks'; readonly options: readonly Option[]; readonly value?: readonly string[] }
    | { readonly type: 'check'; readonly value?: boolean }
    | { readonly type?: undefined; readonly view: ComponentType<OwnFieldProps>; readonly value?: string }
  );

export type Declarations = Readonly<Record<string, FieldDeclaration>>;

type FieldValue<Declared> = Declared extends { readonly type: 'check' }
  ? boolean
  : Declared extends { readonly type: 'checks'; readonly options: readonly Option<infer Value>[] }
    ? readonly Value[]
    : Declared extends { readonly options: readonly Option<infer Value>[] }
      ? Value
      : string;

/** The values of a form. A request that is built from them is checked against its route by the compiler. */
export type FieldValues<Fields extends Declarations> = { readonly [Name in keyof Fields]: FieldValue<Fields[Name]> };

/** Leaves out the fields that are empty. */
export function filled<Given extends Readonly<Record<string, string>>>(values: Given): Partial<Given> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as Partial<Given>;
}

const secrets: ReadonlySet<string> = new Set(['totp', 'tin']);

/** The state of declared fields: only what the user changed, so the fields follow a change of the stored values. */
export function useFields<const Fields extends Declarations>(
  fields: Fields,
  draft: string | null = null,
  proposed: Partial<FieldValues<Fields>> = {},
  onChange: (values: FieldValues<Fields>) => void = () => {},
) {
  const shown = Object.entries(fields).filter(([, { isHidden }]) => isHidden !== true);
  const [typed, put, forget] = useDraft<Partial<FieldValues<Fields>>>(
    draft,
    proposed,
    shown.flatMap(([name, { type }]) => (type === 'password' || secrets.has(name) ? [] : [name])),
  );
  const before = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, startOf(field)]));
  const values = { ...before, ...typed } as FieldValues<Fields>;
  return {
    values,
    names: shown.map(([name]) => name),
    isChanged: JSON.stringify(values) !== JSON.stringify(before),
    put,
    reset: (keep: readonly (keyof Fields)[] = []) => {
      forget();
      if (keep.length > 0) put(Object.fromEntries(keep.map((name) => [name, values[name]])) as typeof typed);
    },
    view: (problemOf: (name: string) => string | undefined = () => undefined) => {
      const show = ([name, field]: [string, FieldDeclaration]) => (
        <DeclaredField
          key={name}
          field={field}
          value={values[name as keyof Fields]}
          onInput={(value) => {
            const change = { [name]: value } as Partial<FieldValues<Fields>>;
            put(change);
            onChange({ ...values, ...change });
          }}
          problem={problemOf(name)}
        />
      );
      const groups = new Set(shown.flatMap(([, { group }]) => group ?? []));
      return (
        <>
          <div class="fields">{shown.filter(([, { group }]) => group === undefined).map(show)}</div>
          {[...groups].map((group) => {
            const inGroup = shown.filter(([, field]) => field.group === group);
            const isSet = inGroup.some(([name]) => JSON.stringify(before[name]) !== '""');
            return (
              <details key={group} open={isSet}>
                <summary>{group}</summary>
                <div class="fields">{inGroup.map(show)}</div>
              </details>
            );
          })}
        </>
      );
    },
  };
}

interface FieldsProps<Fields extends Declarations> {
  /** The fields with their current values. */
  readonly fields: Fields;
  readonly onInput: (name: keyof Fields & string, value: string) => void;
}

/** Declared fields of text whose values the caller keeps. */
export function Fields<const Declared extends Declarations>({ fields, onInput }: FieldsProps<Declared>) {
  return (
    <div class="fields">
      {Object.entries(fields).map(
        ([name, field]) =>
          field.isHidden !== true && (
            <DeclaredField
              key={name}
              field={field}
              value={startOf(field)}
              onInput={(value) => onInput(name, String(value))}
              problem={undefined}
            />
          ),
      )}
    </div>
  );
}

function startOf({ type, value, ...field }: FieldDeclaration): unknown {
  if (value !== undefined) return value;
  if (type === 'check') return false;
  if (type === 'checks') return [];
  return 'options' in field ? (field.options?.[0]?.value ?? '') : '';
}

interface DeclaredFieldProps {
  readonly field: FieldDeclaration;
  readonly value: unknown;
  readonly onInput: (value: unknown) => void;
  readonly problem: string | undefined;
}

function DeclaredField({ field, value, onInput, problem }: DeclaredFieldProps) {
  const { hint: hintOf, isHidden: _, group: __, value: ___, ...declared } = field;
  const hint = typeof hintOf === 'function' ? hintOf(String(value)) : hintOf;
  if (declared.type === 'check') {
    return <Check label={declared.label} means={hint} isOn={value === true} onInput={onInput} />;
  }
  if (declared.type === 'checks') {
    const chosen = value as readonly string[];
    const { label, options } = declared;
    return (
      <fieldset class="choices">
        <legend>{label}</legend>
        {hint !== undefined && <p class="fine">{hint}</p>}
        {options.map(({ value: each, label: name, means }) => (
          <Check
            key={each}
            label={name}
            means={means}
            isOn={chosen.includes(each)}
            onInput={(isOn) =>
              onInput(options.map((one) => one.value).filter((one) => (one === each ? isOn : chosen.includes(one))))
            }
          />
        ))}
      </fieldset>
    );
  }
  const shared = { value: String(value), problem, ...(hint === undefined ? {} : { hint }) };
  if ('view' in declared && declared.view !== undefined) {
    return <declared.view label={declared.label} {...shared} onInput={onInput} />;
  }
  if ('options' in declared && declared.options !== undefined) {
    const { label, options } = declared;
    return <Choice {...{ label, options }} {...shared} onChange={onInput} />;
  }
  return <Field {...(declared as InputOptions & Common)} {...shared} hint={hint} onInput={onInput} />;
}

interface CheckProps {
  readonly label: string;
  readonly means?: ComponentChildren;
  readonly isOn: boolean;
  readonly onInput: (isOn: boolean) => void;
}

export function Check({ label, means, isOn, onInput }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onInput(currentTarget.checked)} />
      <span>
        {label}
        {means !== undefined && <span class="fine">{means}</span>}
      </span>
    </label>
  );
}

interface FormProps<Fields extends Declarations> {
  readonly fields: Fields;
  /** The text of the submit button: `Save`. Null shows no buttons yet. */
  readonly verb: string | null;
  /** The text of the submit button until the server responds. */
  readonly busy?: string | ((values: FieldValues<Fields>) => string);
  /** Sends the values. The fields then return to their declared values, except for those in `keep`. */
  readonly onSubmit: (values: FieldValues<Fields>) => Promise<void>;
  readonly keep?: readonly (keyof Fields)[];
  readonly onChange?: (values: FieldValues<Fields>) => void;
  readonly title?: string;
  /** The accessible name of a form without a title. */
  readonly label?: string;
  readonly class?: string;
  /** The look of the submit button. */
  readonly look?: 'primary' | 'danger' | 'primary wide' | '';
  /** Shown above the fields. */
  readonly lead?: ComponentChildren;
  /** Shown between the fields and the buttons. Fields in it get their errors from the function's parameter. */
  readonly children?: ComponentChildren | ((problemOf: (name: string) => string | undefined) => ComponentChildren);
  /** The state of the action, if the caller needs it. */
  readonly action?: ReturnType<typeof useAction>;
  /** Moves the focus to the first field or button when the form appears. */
  readonly isFocused?: boolean;
  /** Buttons after the submit button. */
  readonly actions?: ComponentChildren;
  /** Adds a button that closes the form. */
  readonly onClose?: () => void;
  readonly cancel?: string;
  /** Whether submitting changes the books, which is not allowed in read-only ones. */
  readonly keeps?: boolean;
  readonly isReady?: (values: FieldValues<Fields>) => boolean;
  /** The name under which the input is kept across a reload, or null to keep none. Passwords, codes and tax numbers are never kept. */
  readonly draft?: string | null;
}

/** A form of declared fields, named like those of the request. It shows the server's errors at their fields. */
export function Form<const Fields extends Declarations>(props: FormProps<Fields>) {
  const { fields, verb, busy = 'Saving…', onSubmit, title, label, look = 'primary', keeps = false, keep } = props;
  const form = useRef<HTMLFormElement>(null);
  const { draft = `${location.pathname} ${label ?? title ?? ''} ${Object.keys(fields)}` } = props;
  const { values, names, view, reset } = useFields(fields, draft, {}, props.onChange);
  const ownAction = useAction();
  const { act, problem, isBusy, problemOfField } = props.action ?? ownAction;
  const isAtFields = names.some((name) => problemOfField(name) !== undefined);
  useEffect(() => {
    if (props.isFocused) form.current?.querySelector<HTMLElement>('input, select, button')?.focus();
  }, []);
  // A screen reader reads the error with the field.
  useEffect(() => {
    if (isAtFields) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [problem]);
  const submit = (
    <button type="submit" class={look} aria-disabled={isBusy} disabled={props.isReady?.(values) === false}>
      {isBusy ? (typeof busy === 'string' ? busy : busy(values)) : verb}
    </button>
  );
  return (
    <form
      ref={form}
      class={props.class}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        void act(async () => {
          await onSubmit(values);
          reset(keep);
        });
      }}
    >
      {title !== undefined && <h2>{title}</h2>}
      {problem !== null && !isAtFields && <ProblemNotice problem={problem} />}
      {props.lead}
      {names.length > 0 && view(problemOfField)}
      {typeof props.children === 'function' ? props.children(problemOfField) : props.children}
      {verb !== null && (
        <p class="actions">
          {keeps ? <OwnBooks isSaid>{submit}</OwnBooks> : submit}
          {props.actions}
          {props.onClose !== undefined && (
            <Button
              label={props.cancel ?? 'Cancel'}
              onClick={() => {
                reset();
                props.onClose?.();
              }}
            />
          )}
        </p>
      )}
    </form>
  );
}
