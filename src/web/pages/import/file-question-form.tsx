import { useState } from 'preact/hooks';
import { type FileUpload, removeUpload, sendAgain } from '../../api/uploads.ts';
import { Form } from '../../parts/form.tsx';
import { ImportCounts } from './import-facts.tsx';
import { PreviewView } from './preview-view.tsx';
import { ReadingChoice } from './reading-choice.tsx';
import { type FileQuestion, useReadings } from './readings.ts';

interface FileQuestionFormProps {
  readonly upload: FileUpload;
  readonly question: FileQuestion;
}

/** Asks a question that only the owner of a file can answer, with a preview of each choice. */
export function FileQuestionForm({ upload, question }: FileQuestionFormProps) {
  const [chosen, setChosen] = useState<string>();
  const results = useReadings(upload, question);
  const result = chosen === undefined ? undefined : results.get(chosen);
  return (
    <Form
      fields={{}}
      verb="Import"
      isReady={() => chosen !== undefined}
      onSubmit={async () => sendAgain(upload.id, { ...upload.options, [question.parameter]: chosen ?? '' })}
      actions={
        <button type="button" class="plain" onClick={() => removeUpload(upload.id)}>
          Don't import
        </button>
      }
    >
      <ReadingChoice question={question} value={chosen} onChange={setChosen} results={results} />
      {result !== undefined && (
        <div class="answer" role="status">
          <ImportCounts result={result} />
          <PreviewView result={result} />
        </div>
      )}
    </Form>
  );
}
