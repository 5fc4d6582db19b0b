import type { TargetedSubmitEvent } from 'preact';
import { useAction } from '../../parts/use-action.ts';

/** Runs a form's submit action and stores the error if it fails. */
export function useSubmission() {
  const { act, problem, isBusy } = useAction();
  const submit = (work: () => Promise<void>) => (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void act(work);
  };
  return { problem, isBusy, submit };
}
