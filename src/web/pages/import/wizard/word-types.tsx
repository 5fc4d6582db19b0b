import { transactionTypes } from '../../../../engine/model.ts';
import type { MappedType, Mapping } from '../../../../formats/mapping/mapping.ts';
import { typeOfWord } from '../../../../formats/mapping/type-words.ts';
import { typeName } from '../../../format/words.ts';
import { Choice } from '../../../parts/field.tsx';
import { type FileBeginning, listColumnValues } from './file-head.ts';
import { findColumn, withType } from './mapping-answers.ts';

interface WordTypesProps {
  readonly head: FileBeginning;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
}

const wordsMax = 40;

/** The file's names for transaction types, each with its meaning. */
export function WordTypes({ head, mapping, onChange }: WordTypesProps) {
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
                {
                  value: '',
                  label: understood === undefined ? 'Choose…' : `${describeType(understood)} (detected)`,
                },
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
