import { useState } from 'preact/hooks';
import { booksChanged } from '../../api/changes.ts';
import { type Account, changeAccount } from '../../api/session.ts';
import { Field } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { TimeZoneField } from '../../parts/time-zone-field.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';

function zoneOf({ timeZone, timeZoneStated }: Account): string {
  return timeZoneStated ? timeZone : '';
}

/** The user's profile, including what the forms print. */
export function ProfileForm({ user }: { readonly user: Account }) {
  const [fields, setFields] = useState({
    name: user.name,
    taxpayerName: user.taxpayerName,
    timeZone: zoneOf(user),
    tin: '',
  });
  const { act, problem, isBusy, problemOfField } = useAction();
  const put = (name: keyof typeof fields) => (text: string) => setFields({ ...fields, [name]: text });
  const save = async (change: Parameters<typeof changeAccount>[0]) => {
    const undo = await changeAccount(change);
    booksChanged();
    setFields((now) => ({ ...now, tin: '' }));
    say('Saved.', async () => {
      await undo();
      booksChanged();
      setFields({ name: user.name, taxpayerName: user.taxpayerName, timeZone: zoneOf(user), tin: '' });
    });
  };
  const { tin, timeZone, ...others } = fields;
  const change = {
    ...others,
    ...(tin === '' ? {} : { tin }),
    // Saving a name must not also save a time zone that the user did not choose.
    ...(timeZone === zoneOf(user) ? {} : { timeZone }),
  };
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void act(() => save(change));
      }}
    >
      <h2>Profile</h2>
      {problem !== null && <ProblemNotice problem={problem} />}
      <div class="fields">
        <Field label="Display name" value={fields.name} onInput={put('name')} autoComplete="name" />
        <Field
          label="Name on tax return"
          value={fields.taxpayerName}
          onInput={put('taxpayerName')}
          hint="Exactly as on your return. For a joint return: Ann & Bob Fields."
        />
        <Field
          label="Taxpayer identification number"
          value={tin}
          onInput={put('tin')}
          autoComplete="off"
          problem={problemOfField('tin')}
          hint={
            user.tin === undefined
              ? 'Printed on your forms, like 123-45-6789. Leave blank to write it in yourself.'
              : `Your number on file is •••-••-${user.tin.slice(-4)}. Enter another number to replace it.`
          }
        />
        <TimeZoneField value={fields.timeZone} onInput={put('timeZone')} problem={problemOfField('timeZone')} />
      </div>
      <p class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? (change.timeZone === undefined ? 'Saving…' : 'Recalculating your years…') : 'Save'}
        </button>
        {user.tin !== undefined && (
          <button type="button" disabled={isBusy} onClick={() => void act(() => save({ tin: null }))}>
            Remove number
          </button>
        )}
      </p>
    </form>
  );
}
