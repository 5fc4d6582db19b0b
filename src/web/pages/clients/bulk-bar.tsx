import { useState } from 'preact/hooks';
import { formatCount } from '../../format/amounts.ts';
import { DownloadButton } from '../../parts/files/download-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';
import { formatWords } from '../reports/formats.ts';
import type { FormatId } from '../reports/reports-data.ts';
import { calculateClients } from './client-rows.ts';

interface BulkBarProps {
  readonly year: number;
  /** The ids of the selected clients. */
  readonly chosen: readonly string[];
}

const formats = Object.keys(formatWords) as FormatId[];

/** Actions for all selected clients at once. */
export function BulkBar({ year, chosen }: BulkBarProps) {
  const [format, setFormat] = useState<FormatId>('8949');
  const { act, isBusy } = useAction();
  const calculate = () =>
    act(async () => {
      const results = await calculateClients(chosen, year);
      const refused = results.filter(({ status }) => status === 'refused');
      const done = results.length - refused.length;
      const [first] = refused;
      const why = first === undefined ? '' : ` Not calculated: ${first.name}. ${first.problem?.detail ?? ''}`;
      say(`${formatCount(done, 'client')} calculated. ${year} forms are ready.${why}`);
    }, sayProblem);
  const query = new URLSearchParams({ year: String(year), format, clients: chosen.join(',') });
  return (
    <fieldset class="bulk">
      <legend>{formatCount(chosen.length, 'client')} selected</legend>
      <button type="button" aria-disabled={isBusy} disabled={chosen.length === 0} onClick={() => void calculate()}>
        <Icon name="check" /> {isBusy ? 'Calculating…' : 'Generate forms'}
      </button>
      {chosen.length > 0 && (
        <>
          <label>
            <span class="visually-hidden">Download format</span>
            <select
              value={format}
              onChange={(event) => {
                const newFormat = formats.find((each) => each === event.currentTarget.value);
                if (newFormat !== undefined) setFormat(newFormat);
              }}
            >
              {formats.map((each) => (
                <option key={each} value={each}>
                  {formatWords[each].name} ({formatWords[each].kind})
                </option>
              ))}
            </select>
          </label>
          <DownloadButton label="Download as one ZIP" pathOf={() => `/v1/clients/reports?${query}`} />
        </>
      )}
    </fieldset>
  );
}
