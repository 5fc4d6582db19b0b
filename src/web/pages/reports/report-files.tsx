import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { request } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { DownloadButton } from '../../parts/files/download-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ResourceView, Waiting } from '../../parts/resource-view.tsx';
import { ChoiceFields } from './choice-fields.tsx';
import { FormatList } from './format-list.tsx';
import { formatWords } from './formats.ts';
import { Preview } from './preview.tsx';
import {
  choiceNamesOf,
  downloadPath,
  type FormatId,
  listFormats,
  readFormatChoices,
  type YearReport,
} from './reports-data.ts';

/** The files of a report: the format, its options, what to finish manually, and the download. */
export function ReportFiles({ report }: { readonly report: YearReport }) {
  const { query, route } = useLocation();
  const [seen, setSeen] = useState<string | null>(null);
  const offered = listFormats(report);
  const format = offered.find((each) => each === query.format) ?? '8949';
  const { name, use, isPdf } = formatWords[format];
  const names = choiceNamesOf(format);
  const choices = readFormatChoices(query, format);
  const path = downloadPath(report.id, format, choices);
  const show = (change: Readonly<Record<string, string>>) => route(to('/forms', { ...query, ...change }), true);
  return (
    <section class="card report-files">
      <h2>Files</h2>
      <FormatList offered={offered} chosen={format} onChoose={(chosen) => show({ format: chosen })} />
      <div>
        <h3>{name}</h3>
        <p>{use}</p>
        {format === 'form-8997-csv' && (
          <p>
            <a href={to('/funds', { year: report.year })}>View by part</a>
          </p>
        )}
        <Warnings report={report} format={format} path={path} />
        <div class="actions">
          <DownloadButton label={`Download ${formatShortName(format)}`} isPrimary pathOf={() => path} />
          {isPdf && (
            <button type="button" aria-expanded={seen === path} onClick={() => setSeen(seen === path ? null : path)}>
              <Icon name="shown" /> {seen === path ? 'Close preview' : 'Preview'}
            </button>
          )}
        </div>
        {names.length > 0 && (
          <details open={Object.keys(choices).length > 0}>
            <summary>Form options</summary>
            <ChoiceFields names={names} choices={choices} onChange={(changed, value) => show({ [changed]: value })} />
          </details>
        )}
      </div>
      {isPdf && seen === path && <Preview title={`${name}, ${report.year}`} path={path} />}
    </section>
  );
}

/** The kind of file, for the download button. */
function formatShortName(format: FormatId): string {
  if (formatWords[format].isPdf) return 'the PDF';
  return format === 'json' || format === 'fdx' ? 'the JSON' : format === 'txf' ? 'the TXF file' : 'the CSV';
}

interface DownloadHead {
  readonly fileName: string;
  readonly warnings: readonly string[];
  readonly assumedForms: readonly string[];
}

interface WarningsProps {
  readonly report: YearReport;
  readonly format: FormatId;
  readonly path: string;
}

/** Warnings about what to finish manually, shown before the download. */
function Warnings({ report, format, path }: WarningsProps) {
  const reading = useResource<DownloadHead>(path, async () =>
    (await request(path.replace('/download?', '/warnings?'))).json(),
  );
  return (
    <ResourceView reading={reading} waiting={<Waiting lines={2} />}>
      {({ fileName, warnings, assumedForms }) => (
        <>
          {warnings.length > 0 && (
            <div class="notice">
              <Icon name="warning" />
              <div>
                <p>
                  <strong>Before you file</strong>
                </p>
                <ul class="warnings">
                  {warnings.map((text) => (
                    <li key={text}>{text}</li>
                  ))}
                </ul>
                {assumedForms.length > 0 && (
                  <p>
                    <a href={to('/settings/accounts')}>Open account settings</a>
                  </p>
                )}
              </div>
            </div>
          )}
          <p class="fine">
            {warnings.length === 0 && `Nothing to finish manually${format === '8949' ? ' on these forms' : ''}. `}
            File: <code>{fileName}</code>
            {report.stale && ', out of date'}
          </p>
        </>
      )}
    </ResourceView>
  );
}
