import { to } from '../../api/acting.ts';
import type { Problem } from '../../api/problem.ts';
import type { ImportedFile } from '../../api/upload-request.ts';
import { type FileUpload, removeUpload, sendAgain } from '../../api/uploads.ts';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { ImportCounts } from './import-facts.tsx';
import { PreviewView } from './preview-view.tsx';

interface StoppedUploadProps {
  readonly upload: FileUpload;
  readonly problem: Problem;
  readonly tried: ImportedFile | null;
}

/** Why a file is not in the books, with the way on. */
export function StoppedUpload({ upload, problem, tried }: StoppedUploadProps) {
  if (problem.code === 'plan_limit') return <NoRoom upload={upload} problem={problem} tried={tried} />;
  return (
    <>
      {problem.code !== 'aborted' && <ProblemNotice problem={problem} />}
      <StoppedActions upload={upload} />
    </>
  );
}

function StoppedActions({ upload: { id } }: Pick<StoppedUploadProps, 'upload'>) {
  return (
    <p class="actions">
      <button type="button" onClick={() => sendAgain(id)}>
        Try again
      </button>
      <button type="button" class="plain" onClick={() => removeUpload(id)}>
        Close
      </button>
    </p>
  );
}

/** The plan has no room for its rows: what they would give, and the way up. */
function NoRoom({ upload, problem, tried }: StoppedUploadProps) {
  return (
    <>
      <ProblemNotice problem={problem} />
      {tried !== null && (
        <>
          <ImportCounts result={tried} />
          <PreviewView result={tried} />
        </>
      )}
      <p class="actions">
        <a class="button primary" href={to('/account')}>
          See the plans
        </a>
        <button type="button" onClick={() => sendAgain(upload.id)}>
          Try again
        </button>
        <button type="button" class="plain" onClick={() => removeUpload(upload.id)}>
          Close
        </button>
      </p>
    </>
  );
}
