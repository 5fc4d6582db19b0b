import { useState } from 'preact/hooks';
import { booksChanged } from '../../api/changes.ts';
import { type Account, changeAccount } from '../../api/session.ts';
import { Field } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { TimeZoneField } from '../../parts/time-zone-field.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAct } from '../../parts/use-act.ts';

function zoneOf({ timeZone, timeZoneStated }: Account): string {
  return timeZoneStated ? timeZone : '';
}

/** Who one is, and what forms print. */
export function ProfileForm({ user }: { readonly user: Account }) {
  const [fields, setFields] = useState({
    name: user.name,
    taxpayerName: user.taxpayerName,
    timeZone: zoneOf(user),
    tin: '',
  });
  const { act, problem, isBusy, problemOfField } = useAct();
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
    // A zone that nobody chose is not stated by saving a name.
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
      <h2>You</h2>
      {problem !== null && <ProblemNotice problem={problem} />}
      <div class="fields">
        <Field label="Your name" value={fields.name} onInput={put('name')} autoComplete="name" />
        <Field
          label="Name on forms"
          value={fields.taxpayerName}
          onInput={put('taxpayerName')}
          hint="As your return has it. A joint return: Ann & Bob Fields."
        />
        <Field
          label="Taxpayer identification number"
          value={tin}
          onInput={put('tin')}
          autoComplete="off"
          problem={problemOfField('tin')}
          hint={
            user.tin === undefined
              ? 'Forms print it: 123-45-6789. Without it they leave the place empty.'
              : `Kept: •••-••-${user.tin.slice(-4)}. Another one replaces it.`
          }
        />
        <TimeZoneField value={fields.timeZone} onInput={put('timeZone')} problem={problemOfField('timeZone')} />
      </div>
      <p class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          Save
        </button>
        {user.tin !== undefined && (
          <button type="button" disabled={isBusy} onClick={() => void act(() => save({ tin: null }))}>
            Remove the number
          </button>
        )}
      </p>
    </form>
  );
}
