import { useState } from 'preact/hooks';
import { previewSettings, saveSettings } from '../../api/settings.ts';
import { withDays } from '../../format/dates.ts';
import { FormActions } from '../../parts/form-actions.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';
import { type PreviewedYear, YearsPreview } from '../../parts/years-preview.tsx';
import { nothingStated } from '../settings/names.ts';
import type { IssueProposal } from './issues.ts';

interface FormNameAnswerProps {
  readonly proposal: IssueProposal;
  readonly onClose: () => void;
}

/** Saves the meaning of a name in the asset's settings, either for a form or for all rows. */
export function FormNameAnswer({ proposal, onClose }: FormNameAnswerProps) {
  const { asset = '', formNameOf = asset, sameAs } = proposal;
  const [tried, setTried] = useState<readonly PreviewedYear[] | null>(null);
  const { act, problem, isBusy } = useAction();
  const patch = { assets: { [asset]: sameAs === undefined ? { formNameOf } : { ...nothingStated, sameAs } } };
  const look = async () => setTried(await previewSettings(patch));
  const save = async () => say('Saved. You can change it under Settings, Assets.', await saveSettings(patch));
  return (
    <form
      class="answer"
      onSubmit={(event) => {
        event.preventDefault();
        void act(tried === null ? look : save);
      }}
    >
      <p>{withDays(proposal.detail)}</p>
      {problem !== null && <ProblemNotice problem={problem} />}
      {tried !== null && (
        <div role="status">
          <YearsPreview years={tried} />
        </div>
      )}
      <FormActions
        verb={tried === null ? 'Preview' : 'Save'}
        isBusy={isBusy}
        onClose={onClose}
        keeps={tried !== null}
      />
    </form>
  );
}
