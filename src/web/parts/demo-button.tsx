import { useLocation } from 'preact-iso';
import { account, openDemo } from '../api/session.ts';
import { useServerConfig } from '../api/status.ts';
import { Button, useAction } from './button.tsx';
import { ProblemNotice } from './page.tsx';

/** Returns whether the server has demo books. */
export const useHasDemo = (): boolean => useServerConfig().data?.demo ?? false;

/** Opens the demo books in this browser, which ends the user's session here. */
export function DemoButton({ label }: { readonly label: string }) {
  const { route } = useLocation();
  const { act, problem, isBusy } = useAction();
  const look = async () => {
    if (!account.value?.demo) await openDemo();
    route('/overview');
  };
  return (
    <>
      <Button label={isBusy ? 'Please wait…' : label} aria-disabled={isBusy} onClick={() => void act(look)} />
      {problem !== null && <ProblemNotice problem={problem} />}
    </>
  );
}
