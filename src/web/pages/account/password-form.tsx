import { api } from '../../api/api.ts';
import { write } from '../../api/changes.ts';
import { Form, filled } from '../../parts/form.tsx';
import { say } from '../../parts/toasts.tsx';

/**
 * Sets a new password and ends the sessions on other devices. The form contains the email address for password
 * managers.
 */
export function PasswordForm({ email }: { readonly email: string }) {
  return (
    <Form
      class="card"
      title="Password"
      lead={
        <input
          class="visually-hidden"
          type="email"
          autoComplete="username"
          value={email}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
      }
      fields={{
        current: {
          label: 'Current password',
          type: 'password',
          autoComplete: 'current-password',
          hint: "Leave blank if you've only signed in with Google or GitHub.",
        },
        password: {
          label: 'New password',
          type: 'password',
          autoComplete: 'new-password',
          isRequired: true,
          hint: 'Use at least 8 characters. Signs out your other devices.',
        },
      }}
      verb="Change password"
      look=""
      onSubmit={async ({ password, current }) => {
        await write(api.auth.password.post({ password, ...filled({ current }) }));
        say('Password changed. Other devices are signed out.');
      }}
    />
  );
}
