import type { Mapping } from '../../../../formats/mapping/mapping.ts';
import type { ProposedColumn } from '../../../../formats/mapping/mapping-proposal.ts';
import { Scroll } from '../../../parts/scroll.tsx';
import { TableHead } from '../../../parts/table-head.tsx';
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
export function ColumnsTable({ columns, head, mapping, onChange }: ColumnsTableProps) {
  return (
    <Scroll label="Columns">
      <table class="columns">
        <TableHead columns={['Column', 'Sample values', 'Maps to']} />
        <tbody>
          {columns.map((proposed) => (
            <ColumnRow key={proposed.column} proposed={proposed} head={head} mapping={mapping} onChange={onChange} />
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

interface ColumnRowProps extends Omit<ColumnsTableProps, 'columns'> {
  readonly proposed: ProposedColumn;
}

const notRead = 'none';
const open = 'open';

function ColumnRow({ proposed, head, mapping, onChange }: ColumnRowProps) {
  const { column, field, confidence, why } = proposed;
  const question = mapping.undecided?.[column];
  const held = findField(mapping, column);
  const samples = listColumnValues(head, column, 3).join(' · ');
  const isProposed = held !== null && held === field;
  return (
    <tr class={question === undefined ? '' : 'asked'}>
      <th scope="row">{column}</th>
      <td class="samples">{samples}</td>
      <td>
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
        {question !== undefined && <p class="fine loss">{question}</p>}
        {question === undefined && isProposed && confidence < sure && (
          <p class="fine">Best guess, please check: {why}.</p>
        )}
        {question === undefined && held === null && field === null && samples !== '' && (
          <p class="fine">Please choose.</p>
        )}
      </td>
    </tr>
  );
}

/** Below this confidence, the user should check the proposal. */
const sure = 0.7;
