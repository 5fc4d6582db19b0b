import { formatGroups, formatWords } from './formats.ts';
import type { FormatId } from './reports-data.ts';

interface FormatListProps {
  /** The formats of the report. */
  readonly offered: readonly FormatId[];
  readonly chosen: FormatId;
  readonly onChoose: (format: FormatId) => void;
}

/** A choice of the report's files, in groups. */
export function FormatList({ offered, chosen, onChoose }: FormatListProps) {
  return (
    <div class="format-list">
      {formatGroups.map(({ title, formats }) => (
        <fieldset key={title}>
          <legend>{title}</legend>
          {formats
            .filter((format) => offered.includes(format))
            .map((format) => (
              <label key={format} class="format-choice">
                <input type="radio" name="format" checked={format === chosen} onChange={() => onChoose(format)} />
                <span>{formatWords[format].name}</span>
              </label>
            ))}
        </fieldset>
      ))}
    </div>
  );
}
