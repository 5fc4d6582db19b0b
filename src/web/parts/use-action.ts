import type { TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { type Problem, toProblem } from '../api/problem.ts';

/** Runs a form's action and tracks its busy state and error. */
export function useAction() {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  async function act(work: () => Promise<void>): Promise<boolean> {
    setBusy(true);
    setProblem(null);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(toProblem(error));
      return false;
    } finally {
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
