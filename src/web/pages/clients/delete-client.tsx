import { useLocation } from 'preact-iso';
import { clientId } from '../../api/page-url.ts';
import { formatCount } from '../../format/amounts.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { say } from '../../parts/toasts.tsx';
import { type ClientStatusRow, deleteClient } from './client-rows.ts';

interface ClientDialogProps {
  readonly client: ClientStatusRow;
  readonly onClose: () => void;
}

/** Ends the user's access to a client's own books. The books stay with their owner. */
export function LeaveClient({ client, onClose }: ClientDialogProps) {
  const remove = useRemoval(client, onClose);
  return (
    <Dialog title={`Leave ${client.name}`} onClose={onClose}>
      <Form
        lead={
          <p>You will lose access, but nothing in the account changes. To regain access, invite the client again.</p>
        }
        fields={{}}
        look="danger"
        verb="Leave account"
        onClose={onClose}
        onSubmit={() => remove(`You no longer have access to ${client.name}.`)}
      />
    </Dialog>
  );
}

/**
 * Permanently deletes all books of a client. The deletion cannot be undone, so the user must type the client's name to
 * confirm.
 */
export function DeleteClient({ client, onClose }: ClientDialogProps) {
  const { name, transactions } = client;
  const remove = useRemoval(client, onClose);
  return (
    <Dialog title={`Delete ${name}`} onClose={onClose}>
      <Form
        lead={
          <p>
            This deletes {formatCount(transactions, 'transaction')}, all files, all fixes, and all reports. This cannot
            be undone.
          </p>
        }
        fields={{ typed: { label: `Type ${name} to confirm`, isRequired: true, autoComplete: 'off' } }}
        look="danger"
        verb="Delete client"
        isReady={({ typed }) => typed.trim() === name}
        onClose={onClose}
        onSubmit={() => remove(`${name} deleted.`)}
      />
    </Dialog>
  );
}

/** Returns a function that removes the client, closes the dialog, and leaves the client's books. */
function useRemoval({ id }: ClientStatusRow, onClose: () => void): (message: string) => Promise<void> {
  const { route } = useLocation();
  return async (message) => {
    await deleteClient(id);
    say(message);
    onClose();
    if (clientId.value === id) route('/clients');
  };
}
