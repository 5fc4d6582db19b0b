import { useEffect, useState } from 'preact/hooks';
import { type Problem, toProblem } from '../../api/problem.ts';
import { previewSettings, type SettingsPatch, saveSettings } from '../../api/settings.ts';
import { OwnBooks } from '../../parts/own-books.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { Waiting } from '../../parts/resource-view.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';
import { type PreviewedYear, YearsPreview } from '../../parts/years-preview.tsx';

interface SettingsChangeProps {
  /** The change to preview. The preview reloads whenever the change differs. */
  readonly patch: SettingsPatch;
  /** The message after saving: "The method is HIFO." */
  readonly said: string;
  /** Called after saving or canceling. */
  readonly onClose: () => void;
}

/** Previews the effect of a settings change on each year, in dollars, with a save button. */
export function SettingsChange({ patch, said, onClose }: SettingsChangeProps) {
  const { years, problem } = useTried(patch);
  const { act, problem: refusal, isBusy } = useAction();
  const save = async () => {
    const isDone = await act(async () => say(said, await saveSettings(patch)));
    if (isDone) onClose();
  };
  const shown = refusal ?? problem;
  return (
    <div class="answer">
      <div role="status" aria-live="polite">
        {shown === null && years === null && <Waiting lines={2} />}
        {shown === null && years !== null && <YearsPreview years={years} />}
      </div>
      {shown !== null && <ProblemNotice problem={shown} />}
      <p class="actions">
        <OwnBooks isSaid>
          <button
            type="button"
            class="primary"
            aria-disabled={isBusy}
            disabled={years === null}
            onClick={() => void save()}
          >
            {isBusy ? 'Recalculating…' : 'Save'}
          </button>
        </OwnBooks>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </p>
    </div>
  );
}

/** Milliseconds without typing before the preview loads. */
const pause = 350;

function useTried(patch: SettingsPatch): { years: readonly PreviewedYear[] | null; problem: Problem | null } {
  const [tried, setTried] = useState<{ years: readonly PreviewedYear[] | null; problem: Problem | null }>({
    years: null,
    problem: null,
  });
  const text = JSON.stringify(patch);
  useEffect(() => {
    let isCurrent = true;
    setTried({ years: null, problem: null });
    const timer = setTimeout(async () => {
      try {
        const years = await previewSettings(patch);
        if (isCurrent) setTried({ years, problem: null });
      } catch (error) {
        if (isCurrent) setTried({ years: null, problem: toProblem(error) });
      }
    }, pause);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text]);
  return tried;
}
