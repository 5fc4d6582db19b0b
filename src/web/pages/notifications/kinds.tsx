import { api, got } from '../../api/api.ts';
import { refresh, useResource } from '../../api/resource.ts';
import { useServerConfig } from '../../api/server-config.ts';
import { Choice } from '../../parts/field.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';

type NotificationChoices = Awaited<ReturnType<typeof readSwitches>>;
type KindSwitches = NotificationChoices['kinds'];
type DigestPick = NotificationChoices['digest'];
type SwitchedKind = keyof KindSwitches;

function readSwitches() {
  return got(api.notifications.settings.get());
}

/** Which kinds come. One that is off is not kept either. */
export function KindsForm() {
  const reading = useResource('notification settings', readSwitches);
  return (
    <details class="card">
      <summary>Choose what is notified and mailed</summary>
      <ResourceView reading={reading}>
        {({ kinds, digest }) => (
          <>
            <DigestChoice digest={digest} />
            <ul class="switches">
              {(Object.keys(kindWords) as SwitchedKind[]).map((kind) => (
                <li key={kind}>
                  <label>
                    <input
                      type="checkbox"
                      checked={kinds[kind]}
                      onChange={() => turn(kind, !kinds[kind]).catch(sayProblem)}
                    />
                    <span>{kindWords[kind]}</span>
                  </label>
                </li>
              ))}
            </ul>
          </>
        )}
      </ResourceView>
      <p class="fine">What is switched off is not kept: it does not come later.</p>
    </details>
  );
}

/** Where this server sends no mail, there is nothing to choose. */
function DigestChoice({ digest }: { readonly digest: DigestPick }) {
  const config = useServerConfig();
  if (config.data?.mail !== true) return null;
  return (
    <div class="filters">
      <Choice
        label="Mail what is new"
        value={digest}
        options={[
          { value: 'off', label: 'Never' },
          { value: 'daily', label: 'Every morning' },
          { value: 'weekly', label: 'On Mondays' },
        ]}
        hint="One mail with what you have not read. Nothing comes where nothing is new."
        onChange={(chosen) => chooseDigest(chosen, digest).catch(sayProblem)}
      />
    </div>
  );
}

async function chooseDigest(chosen: DigestPick, before: DigestPick): Promise<void> {
  const keep = async (digest: DigestPick) => {
    await got(api.notifications.settings.patch({ digest }));
    refresh();
  };
  await keep(chosen);
  say(chosen === 'off' ? 'No mails come any more.' : 'It is mailed from now on.', () => keep(before));
}

async function turn(kind: SwitchedKind, isOn: boolean): Promise<void> {
  await set(kind, isOn);
  say(isOn ? 'It is switched on.' : 'It is switched off.', () => set(kind, !isOn));
}

async function set(kind: SwitchedKind, isOn: boolean): Promise<void> {
  await got(api.notifications.settings.patch({ kinds: { [kind]: isOn } }));
  refresh();
}

const kindWords: Readonly<Record<SwitchedKind, string>> = {
  import_completed: 'A file is imported',
  import_failed: 'A file could not be imported',
  review_needed: 'Rows leave questions open',
  calculation_completed: 'A full calculation is done',
  confirm_form: 'The form of an account is assumed, to be confirmed',
  tell_broker: 'A broker must be told which lots are sold',
  fund_value: 'The value of an opportunity fund is needed at the end of the year',
  year_end: 'The last trading day of the year comes',
  wash_window: 'A loss of the last 30 days would wash if you bought back',
  long_term_soon: 'A lot turns long-term within 30 days',
  limit_near: 'A limit of the plan is near',
  limit_reached: 'A limit of the plan is reached',
  plan_changed: 'The plan begins or ends, or a payment did not go through',
  year_conflict: 'Something would have changed a locked year',
  new_sign_in: 'Somebody signs in from a new browser',
  sign_in_guesses: 'Many wrong passwords are sent for your account',
  access_changed: 'Somebody gets or loses access to books',
  review_changed: 'A year is prepared, reviewed, signed off or opened again',
  note_changed: 'A note is written at a year or a line, or resolved',
};
