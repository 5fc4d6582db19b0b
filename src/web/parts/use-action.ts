import type { TargetedSubmitEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { type Problem, toProblem } from '../api/problem.ts';

/** Runs the action of a form or a button once at a time, and tracks its busy state and error. */
export function useAction() {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  async function act(work: () => Promise<void>, onProblem?: (error: unknown) => void): Promise<boolean> {
    // A button that is pressed twice before it is drawn again acts once.
    if (isRunning.current) return false;
    isRunning.current = true;
    setBusy(true);
    setProblem(null);
    try {
      await work();
      return true;
    } catch (error) {
      if (onProblem === undefined) setProblem(toProblem(error));
      else onProblem(error);
      return false;
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  }
  const submit = (work: () => Promise<void>) => (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void act(work);
  };
  const problemOfField = (name: string) =>
    problem?.fields.find(({ pointer }) => pointer === `/${name}` || pointer?.startsWith(`/${name}/`))?.detail;
  return { act, submit, problem, isBusy, problemOfField };
}
