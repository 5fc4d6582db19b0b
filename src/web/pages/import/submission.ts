import type { TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { type Problem, problemOf } from '../../api/problem.ts';

/** What a form does when it is sent, with why it could not. */
export function useSubmission() {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = (act: () => Promise<void>) => async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await act();
    } catch (error) {
      setProblem(problemOf(error));
    }
    setBusy(false);
  };
  return { problem, isBusy, submit };
}
