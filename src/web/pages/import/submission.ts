import type { TargetedSubmitEvent } from 'preact';
import { useAct } from '../../parts/use-act.ts';

/** What a form does when it is sent, with why it could not. */
export function useSubmission() {
  const { act, problem, isBusy } = useAct();
  const submit = (work: () => Promise<void>) => (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void act(work);
  };
  return { problem, isBusy, submit };
}
