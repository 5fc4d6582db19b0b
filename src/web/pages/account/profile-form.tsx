import { booksChanged } from '../../api/changes.ts';
import { type Account, changeAccount } from '../../api/session.ts';
import { Form } from '../../parts/form.tsx';
import { TimeZoneField } from '../../parts/time-zone-field.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';

/** The user's profile, including what the forms print. */
export function ProfileForm({ user }: { readonly user: Account }) {
  const { act, isBusy } = useAction();
  const zone = user.timeZoneStated ? user.timeZone : '';
  const save = async (change: Parameters<typeof changeAccount>[0]) => {
    const undo = await changeAccount(change);
    booksChanged();
    say('Saved.', async () => {
      await undo();
      booksChanged();
    });
  };
  return (
    <Form
      class="card"
      title="Profile"
      verb="Save"
      busy={({ timeZone }) => (timeZone === zone ? 'Saving…' : 'Recalculating your years…')}
      fields={{
        name: { label: 'Display name', value: user.name, autoComplete: 'name' },
        taxpayerName: {
          label: 'Name on tax return',
          value: user.taxpayerName,
          hint: 'Exactly as on your return. For a joint return: Ann & Bob Fields.',
        },
        tin: {
          label: 'Taxpayer identification number',
          autoComplete: 'off',
          hint:
            user.tin === undefined
              ? 'Printed on your forms, like 123-45-6789. Leave blank to write it in yourself.'
              : `Your number on file is •••-••-${user.tin.slice(-4)}. Enter another number to replace it.`,
        },
        timeZone: { label: 'Time zone', value: zone, view: TimeZoneField },
      }}
      // Saving a name must not also save a time zone that the user did not choose.
      onSubmit={({ tin, timeZone, ...others }) =>
        save({ ...others, ...(tin === '' ? {} : { tin }), ...(timeZone === zone ? {} : { timeZone }) })
      }
      actions={
        user.tin !== undefined && (
          <button type="button" aria-disabled={isBusy} onClick={() => void act(() => save({ tin: null }))}>
            Remove number
          </button>
        )
      }
    />
  );
}
