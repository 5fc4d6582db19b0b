import { useEffect, useState } from 'preact/hooks';
import { transactionTypes } from '../../../../engine/model.ts';
import type { MappedType, Mapping } from '../../../../formats/mapping/mapping.ts';
import type { MappingProposal, ProposedColumn } from '../../../../formats/mapping/mapping-proposal.ts';
import { typeOfWord } from '../../../../formats/mapping/type-words.ts';
import { useDraft } from '../../../api/draft.ts';
import { to } from '../../../api/page-url.ts';
import { type ImportedFile, sendFile, type UploadOptions } from '../../../api/upload-request.ts';
import { type FileUpload, removeUpload, sendAgain, uploadName } from '../../../api/uploads.ts';
import { type CsvLine, csvLines, detectDelimiter } from '../../../format/csv.ts';
import { typeName } from '../../../format/words.ts';
import { Button, useAction } from '../../../parts/button.tsx';
import { Choice, toOptions } from '../../../parts/field.tsx';
import { Fields } from '../../../parts/form.tsx';
import { ProblemNotice, Waiting } from '../../../parts/page.tsx';
import { Points } from '../../../parts/points.tsx';
import { type ColumnSpec, Table } from '../../../parts/tables/table.tsx';
import { ImportCounts } from '../import-facts.tsx';
import { PreviewView } from '../preview-view.tsx';
import { ReadingChoice, toFileQuestion, useReadings } from '../reading-choice.tsx';
import { fieldNames } from './field-names.ts';
import {
  fileSettings,
  findColumn,
  findField,
  withConstant,
  withField,
  withMultiplier,
  withSetting,
  withType,
} from './mapping-answers.ts';

interface MappingWizardProps {
  readonly upload: FileUpload;
  readonly proposal: MappingProposal;
  readonly firstRows: readonly CsvLine[] | null;
}

/** Asks what the columns of an unknown file contain, and previews the result before importing. */
export function MappingWizard({ upload, proposal, firstRows }: MappingWizardProps) {
  const { id, file, client } = upload;
  const initial: { mapping: Mapping; side: string } = {
    mapping: upload.options.mapping ?? proposal.mapping,
    side: upload.options.side ?? '',
  };
  const [answers, setAnswers, forget] = useDraft(`mapping ${uploadName(upload)} ${file.size}`, initial);
  const [tried, setTried] = useState<ImportedFile | null>(null);
  const { problem, isBusy, submit } = useAction();
  const columns = proposal.columns.map(({ column }) => column);
  const head = useFileBeginning(file, columns, firstRows);
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
        <Button label="Don't import" class="plain" onClick={() => removeUpload(id)} />
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

interface ColumnsTableProps {
  readonly columns: readonly ProposedColumn[];
  readonly head: FileBeginning;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
}

/** Each column with sample values and the proposed field. */
function ColumnsTable(props: ColumnsTableProps) {
  return (
    <Table
      label="Columns"
      rows={props.columns}
      keyOf={({ column }) => column}
      columns={[
        { head: 'Column', cell: ({ column }) => column },
        {
          head: 'Sample values',
          cell: ({ column }) => <div class="samples">{listColumnValues(props.head, column, 3).join(' · ')}</div>,
        },
        { head: 'Maps to', cell: (proposed) => <ColumnField {...props} {...proposed} /> },
      ]}
    />
  );
}

const notRead = 'none';
const open = 'open';

function ColumnField(props: ColumnsTableProps & ProposedColumn) {
  const { head, mapping, onChange, column, field, confidence, why } = props;
  const question = mapping.undecided?.[column];
  const held = findField(mapping, column);
  const isEmpty = listColumnValues(head, column, 1).length === 0;
  const isProposed = held !== null && held === field;
  return (
    <>
      <select
        aria-label={`Field for ${column}`}
        value={question === undefined ? (held ?? notRead) : open}
        onChange={({ currentTarget }) => {
          const chosen = [...fieldNames.keys()].find((each) => each === currentTarget.value) ?? null;
          if (currentTarget.value !== open) onChange(withField(mapping, column, chosen));
        }}
      >
        {question !== undefined && <option value={open}>Choose…</option>}
        <option value={notRead}>Ignore</option>
        {[...fieldNames].map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
      {question !== undefined && <p class="fine loss asked">{question}</p>}
      {question === undefined && isProposed && confidence < sure && (
        <p class="fine">Best guess, please check: {why}.</p>
      )}
      {question === undefined && held === null && field === null && !isEmpty && <p class="fine">Please choose.</p>}
    </>
  );
}

/** Below this confidence, the user should check the proposal. */
const sure = 0.7;

interface WordTypesProps {
  readonly head: FileBeginning;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
}

const wordsMax = 40;

/** The file's names for transaction types, each with its meaning. */
function WordTypes({ head, mapping, onChange }: WordTypesProps) {
  const column = findColumn(mapping, 'type');
  const words = column === undefined ? [] : listColumnValues(head, column, wordsMax);
  if (words.length === 0) return null;
  return (
    <>
      <h3>Transaction types</h3>
      <div class="fields">
        {words.map((word) => {
          const understood = typeOfWord(word);
          return (
            <Choice
              key={word}
              label={word.slice(0, 60)}
              value={mapping.types?.[word] ?? ''}
              options={[
                { value: '', label: understood === undefined ? 'Choose…' : `${describeType(understood)} (detected)` },
                ...options,
              ]}
              onChange={(value) => onChange(withType(mapping, word, value === '' ? null : value))}
            />
          );
        })}
      </div>
    </>
  );
}

function describeType(type: MappedType): string {
  if (type === 'skip') return 'Skip';
  if (type === 'sign') return 'Buy or sell, by sign';
  return typeName(type);
}

const options = (['sign', 'skip', ...transactionTypes] as const).map((value) => ({
  value,
  label: describeType(value),
}));

interface FileSettingsProps {
  readonly head: FileBeginning;
  readonly mapping: Mapping;
  /** Futures whose dollars per point the user must enter. */
  readonly unknownFutures: readonly string[];
  readonly onChange: (mapping: Mapping) => void;
}

/** Settings for the whole file: its date and number formats, and values that no column contains. */
function FileSettings({ head, mapping, unknownFutures, onChange }: FileSettingsProps) {
  const { constants = {} } = mapping;
  const dates = findColumn(mapping, 'date');
  const [date] = dates === undefined ? [] : listColumnValues(head, dates, 1);
  const isAsked = (name: 'type' | 'asset' | 'account' | 'currency'): boolean =>
    findColumn(mapping, name) === undefined && findColumn(mapping, 'sentQuantity') === undefined;
  const hasPairs = findColumn(mapping, 'pair') !== undefined;
  return (
    <>
      <h3>File settings</h3>
      <Fields
        fields={{
          dateOrder: {
            label: 'Dates',
            value: mapping.dateOrder ?? '',
            options: [
              { value: '', label: 'Detect automatically' },
              { value: 'mdy', label: 'Month first: 3/4 is March 4' },
              { value: 'dmy', label: 'Day first: 3/4 is April 3' },
              { value: 'ymd', label: 'Year first: 25-03-04 is March 4, 2025' },
            ],
            hint: date === undefined ? undefined : `The first one is ${date}.`,
          },
          decimal: {
            label: 'Numbers',
            value: mapping.decimal ?? '',
            options: toOptions({ '': 'Detect automatically', '.': '1,234.56', ',': '1.234,56' }),
          },
          type: {
            label: 'All rows are',
            isHidden: !isAsked('type'),
            value: constants.type ?? '',
            options: [{ value: '', label: 'Not all the same' }, ...types],
          },
          signs: {
            label: 'Buy or sell is shown by',
            value: mapping.signs ?? '',
            options: [
              { value: '', label: 'The transaction type' },
              { value: 'quantity', label: 'The sign of the quantity' },
              { value: 'amount', label: 'The sign of the amount' },
            ],
          },
          splitQuantity: {
            label: 'Split quantity is',
            value: mapping.splitQuantity ?? '',
            options: [
              { value: '', label: 'The ratio is in the row' },
              { value: 'ratio', label: 'New shares for each old one' },
              { value: 'added', label: 'Shares added' },
            ],
          },
          ...Object.fromEntries(
            unknownFutures.map((future) => [
              `${multiplier}${future}`,
              {
                label: `Dollars per point of ${future}`,
                value: mapping.multipliers?.[future] ?? '',
                placeholder: '50',
                hint: 'Also called contract multiplier or point value.',
              },
            ]),
          ),
          asset: {
            label: 'Asset for all rows',
            isHidden: !isAsked('asset') || hasPairs,
            value: constants.asset ?? '',
          },
          account: {
            label: 'Account for all rows',
            isHidden: !isAsked('account'),
            value: constants.account ?? '',
            hint: 'Your name for it. Leave blank for “Imported”.',
          },
          currency: {
            label: 'Currency of amounts',
            isHidden: !isAsked('currency') || hasPairs,
            value: constants.currency ?? '',
            placeholder: 'USD',
          },
          timeZone: {
            label: 'Time zone of the times',
            value: mapping.timeZone ?? '',
            placeholder: 'America/New_York',
            hint: "Used if times have no offset. Leave blank to use your account's time zone.",
          },
        }}
        onInput={(name, text) => onChange(withFileSetting(mapping, name, text))}
      />
    </>
  );
}

const multiplier = 'multiplier of ';

/** Returns the mapping with a different value of a field above. */
function withFileSetting(mapping: Mapping, name: string, text: string): Mapping {
  const constant = (['type', 'asset', 'account', 'currency'] as const).find((each) => each === name);
  if (constant !== undefined) return withConstant(mapping, constant, name === 'currency' ? text.toUpperCase() : text);
  const setting = fileSettings.find((each) => each === name);
  if (setting !== undefined) return withSetting(mapping, setting, text.trim());
  return withMultiplier(mapping, name.slice(multiplier.length), text.trim());
}

const types = transactionTypes.map((value) => ({ value, label: typeName(value) }));

/** The start of a file: its header and the first rows. */
interface FileBeginning {
  readonly header: readonly string[];
  readonly rows: readonly CsvLine[];
}

/** Number of bytes to read. The remaining rows stay on the disk. */
const headBytes = 256 * 1024;

/** Reads the start of a file. The header is the row with these columns. */
function useFileBeginning(
  file: File,
  columns: readonly string[],
  firstRows: readonly CsvLine[] | null,
): FileBeginning | null {
  const [head, setHead] = useState<FileBeginning | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const lines = firstRows === null ? readFirstLines(file) : Promise.resolve(firstRows);
    lines.then(
      (first) => isCurrent && setHead(findBeginning(first, columns)),
      () => isCurrent && setHead({ header: columns, rows: [] }),
    );
    return () => {
      isCurrent = false;
    };
  }, [file]);
  return head;
}

async function readFirstLines(file: File): Promise<readonly CsvLine[]> {
  const text = decodeText(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
  const lines = csvLines(text, detectDelimiter(text));
  // The last line may be incomplete.
  return file.size > headBytes ? lines.slice(0, -1) : lines;
}

function findBeginning(lines: readonly CsvLine[], columns: readonly string[]): FileBeginning {
  const at = lines.findIndex(({ cells }) => {
    const names = new Set(cells.map((cell) => cell.trim()));
    return columns.every((column) => names.has(column));
  });
  const start = Math.max(0, at);
  return {
    header: lines[start]?.cells.map((cell) => cell.trim()) ?? columns,
    rows: lines.slice(start + 1).filter(({ cells }) => cells.some((cell) => cell.trim() !== '')),
  };
}

function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const text = new TextDecoder().decode(bytes);
  // The cut can split one character. If more characters are invalid, the file has another encoding.
  return (text.match(/\ufffd/g)?.length ?? 0) > 1 ? new TextDecoder('windows-1252').decode(bytes) : text;
}

/** Returns the first distinct non-empty values in a column. */
function listColumnValues({ header, rows }: FileBeginning, column: string, most: number): string[] {
  const at = header.indexOf(column);
  const values = new Set<string>();
  for (const { cells } of rows) {
    const value = (cells[at] ?? '').trim();
    if (value !== '') values.add(value);
    if (values.size === most) break;
  }
  return [...values];
}
