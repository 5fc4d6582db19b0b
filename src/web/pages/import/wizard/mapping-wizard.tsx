import { useState } from 'preact/hooks';
import type { Mapping } from '../../../../formats/mapping/mapping.ts';
import type { MappingProposal } from '../../../../formats/mapping/mapping-proposal.ts';
import { useDraft } from '../../../api/draft.ts';
import { to } from '../../../api/page-url.ts';
import { type ImportedFile, sendFile, type UploadOptions } from '../../../api/upload-request.ts';
import { type FileUpload, removeUpload, sendAgain } from '../../../api/uploads.ts';
import { ProblemNotice } from '../../../parts/problem-notice.tsx';
import { Waiting } from '../../../parts/resource-view.tsx';
import type { ColumnSpec } from '../../../parts/tables/column.tsx';
import { Table } from '../../../parts/tables/table.tsx';
import { useAction } from '../../../parts/use-action.ts';
import { ImportCounts } from '../import-facts.tsx';
import { Points } from '../points.tsx';
import { PreviewView } from '../preview-view.tsx';
import { ReadingChoice } from '../reading-choice.tsx';
import { toFileQuestion, useReadings } from '../readings.ts';
import { ColumnsTable } from './columns-table.tsx';
import { type FileBeginning, useFileBeginning } from './file-head.ts';
import { FileSettings } from './file-settings.tsx';
import { withSetting } from './mapping-answers.ts';
import { WordTypes } from './word-types.tsx';

interface MappingWizardProps {
  readonly upload: FileUpload;
  readonly proposal: MappingProposal;
}

/** Asks what the columns of an unknown file contain, and previews the result before importing. */
export function MappingWizard({ upload, proposal }: MappingWizardProps) {
  const { id, file, client } = upload;
  const initial: { mapping: Mapping; side: string } = {
    mapping: upload.options.mapping ?? proposal.mapping,
    side: upload.options.side ?? '',
  };
  const [answers, setAnswers, forget] = useDraft(`mapping ${file.name} ${file.size}`, initial);
  const [tried, setTried] = useState<ImportedFile | null>(null);
  const { problem, isBusy, submit } = useAction();
  const columns = proposal.columns.map(({ column }) => column);
  const head = useFileBeginning(file, columns);
  const options = buildUploadOptions(upload.options, answers);
  const question = problem === null ? null : toFileQuestion(problem);
  const readings = useReadings({ file, client, options }, question);
  const change = (mapping: Mapping): void => {
    setTried(null);
    setAnswers({ mapping });
  };
  const look = async () => setTried(await sendFile({ file, options, client, key: null }));
  const store = async () => {
    forget();
    sendAgain(id, options);
  };
  const sendAnswer = (value: string): void => {
    setTried(null);
    if (question?.parameter === 'side') setAnswers({ side: value });
    else setAnswers({ mapping: withSetting(answers.mapping, 'dateOrder', value) });
  };
  const open = Object.keys(answers.mapping.undecided ?? {}).length;
  if (head === null) return <Waiting />;
  return (
    <form onSubmit={submit(tried === null ? look : store)}>
      <p>
        Match this file's columns. We filled in what we could, and will remember it for next time, until you delete it
        in the <a href={to('/settings/mappings')}>settings</a>.
      </p>
      <Points
        items={stillMissing(proposal.missing, answers.mapping).map(
          (name) => lacks[name] ?? `No column seems to contain the ${name}.`,
        )}
      />
      <FirstRows head={head} />
      <h3>Columns</h3>
      <ColumnsTable columns={proposal.columns} head={head} mapping={answers.mapping} onChange={change} />
      <WordTypes head={head} mapping={answers.mapping} onChange={change} />
      <FileSettings head={head} mapping={answers.mapping} unknownFutures={proposal.unknownFutures} onChange={change} />
      {problem !== null && question === null && <ProblemNotice problem={problem} />}
      {question !== null && (
        <ReadingChoice
          question={question}
          value={question.parameter === 'side' ? answers.side : answers.mapping.dateOrder}
          onChange={sendAnswer}
          results={readings}
        />
      )}
      {tried !== null && (
        <div class="answer" role="status">
          <ImportCounts result={tried} />
          <PreviewView result={tried} />
        </div>
      )}
      {open > 0 && <p class="fine">Map the highlighted columns first.</p>}
      <p class="actions">
        <button type="submit" class="primary" aria-disabled={isBusy} disabled={open > 0}>
          {tried === null ? 'Preview' : 'Import and save mapping'}
        </button>
        <button type="button" class="plain" onClick={() => removeUpload(id)}>
          Don't import
        </button>
      </p>
    </form>
  );
}

function buildUploadOptions(
  options: UploadOptions,
  { mapping, side }: { readonly mapping: Mapping; readonly side: string },
) {
  const { mapping: _mapping, side: _side, format: _format, ...others } = options;
  return { ...others, mapping, ...(side === '' ? {} : { side }) };
}

/** Fields missing from the file that the user has not filled in yet. */
function stillMissing(missing: readonly string[], { columns, constants = {} }: Mapping): readonly string[] {
  const fields = Object.values(columns);
  const hasAsset = (constants.asset ?? '') !== '' || fields.some((field) => field === 'asset' || field === 'pair');
  return missing.filter((name) => !(name === 'asset' ? hasAsset : fields.some((field) => field === name)));
}

const lacks: Readonly<Record<string, string>> = {
  side: 'No column seems to contain the type of each row, such as buy or sell. Choose that column, or choose one type for all rows below.',
  asset: 'No column seems to name the asset. Choose that column, or enter one asset for all rows below.',
  amount: 'No column seems to contain an amount or a price per unit.',
};

/** The unmodified rows from the file. */
function FirstRows({ head: { header, rows } }: { readonly head: FileBeginning }) {
  return (
    <details>
      <summary>First rows of the file</summary>
      <Table
        label="First rows of the file"
        rows={rows.slice(0, 5)}
        keyOf={({ line }) => line}
        columns={[
          { head: 'Row', cell: ({ line }) => line },
          ...header.map((head, at): ColumnSpec<(typeof rows)[number]> => ({ head, cell: ({ cells }) => cells[at] })),
        ]}
      />
    </details>
  );
}
