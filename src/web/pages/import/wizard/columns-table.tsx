import type { Mapping } from '../../../../formats/mapping/mapping.ts';
import type { ProposedColumn } from '../../../../formats/mapping/mapping-proposal.ts';
import { Table } from '../../../parts/tables/table.tsx';
import { fieldNames } from './field-names.ts';
import { type FileBeginning, listColumnValues } from './file-head.ts';
import { findField, withField } from './mapping-answers.ts';

interface ColumnsTableProps {
  readonly columns: readonly ProposedColumn[];
  readonly head: FileBeginning;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
}

/** Each column with sample values and the proposed field. */
export function ColumnsTable(props: ColumnsTableProps) {
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
