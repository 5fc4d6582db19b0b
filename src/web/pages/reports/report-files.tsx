import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { isPreview } from '../../../forms/preview.ts';
import { request } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { usePartialAccounts } from '../../parts/coverage.tsx';
import { DownloadButton } from '../../parts/files/download-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Notice } from '../../parts/notice.tsx';
import { OpenIssuesText } from '../../parts/open-issues-text.tsx';
import { ResourceView, Waiting } from '../../parts/resource-view.tsx';
import { AssumedForms } from '../year/assumed-forms.tsx';
import { formatNames } from '../year/checklist.tsx';
import { readSummary } from '../year/summary.ts';
import { ChoiceFields } from './choice-fields.tsx';
import { formatWords, otherFiles, type Purpose, purposes } from './formats.ts';
import { Preview } from './preview.tsx';
import {
  choiceNamesOf,
  downloadPath,
  type FormatId,
  listFormats,
  readFormatChoices,
  type YearReport,
} from './reports-data.ts';

/** The files of a report, by purpose. The URL can name the format whose notes are open. */
export function ReportFiles({ report }: { readonly report: YearReport }) {
  const offered = listFormats(report);
  const others = otherFiles.filter((format) => offered.includes(format));
  const named = offered.find((each) => each === useLocation().query.format);
  return (
    <>
      <BeforeFiling report={report} />
      <FormsToConfirm year={report.year} />
      <h2>How do you file?</h2>
      <div class="cards purposes">
        {purposes.map((purpose, index) => (
          <PurposeCard key={purpose.title} report={report} isPrimary={index === 0} {...purpose} />
        ))}
      </div>
      <details class="card" open={named !== undefined && others.includes(named)}>
        <summary>All files</summary>
        <div class="cards purposes">
          {others.map((format) => (
            <PurposeCard
              key={format}
              report={report}
              title={formatWords[format].name}
              steps={[formatWords[format].use]}
              files={[format]}
            />
          ))}
        </div>
      </details>
    </>
  );
}

interface PurposeCardProps extends Purpose {
  readonly report: YearReport;
  readonly isPrimary?: boolean;
}

function PurposeCard({ report, title, steps, files, isPrimary = false }: PurposeCardProps) {
  const { query } = useLocation();
  // Two cards can offer the same file. A file named in the URL opens the card that is only for it.
  const [isOpen, setOpen] = useState(files.length === 1 && files[0] === query.format);
  const path = (format: FormatId) =>
    downloadPath(report.id, format, query.format === format ? readFormatChoices(query, format) : {});
  return (
    <section class="card">
      <h3>{title}</h3>
      {steps.length === 1 ? (
        <p>{steps[0]}</p>
      ) : (
        <ol>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
      <p class="actions">
        {files.map((format) => (
          <DownloadButton
            key={format}
            label={`Download ${isPreview(report.year) && drawnForms.includes(format) ? 'preview ' : ''}${formatWords[format].kind}`}
            isPrimary={isPrimary}
            pathOf={() => path(format)}
          />
        ))}
      </p>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Notes and options</summary>
        {isOpen &&
          files.map((format) => <FileNotes key={format} report={report} format={format} path={path(format)} />)}
      </details>
    </section>
  );
}

/** The PDFs that contain the IRS forms. */
const drawnForms: readonly FormatId[] = ['8949', 'pdf'];

interface FileProps {
  readonly report: YearReport;
  readonly format: FormatId;
  readonly path: string;
}

/** What to finish by hand in a file, its options, and a preview of a PDF. */
function FileNotes({ report, format, path }: FileProps) {
  const { query, route } = useLocation();
  const [seen, setSeen] = useState<string | null>(null);
  const general = useHead(generalPath(report)).data?.warnings ?? [];
  const { name, kind } = formatWords[format];
  const names = choiceNamesOf(format);
  const choices = query.format === format ? readFormatChoices(query, format) : {};
  const show = (change: Readonly<Record<string, string>>) =>
    route(to('/forms', { year: report.year, report: query.report, format, ...choices, ...change }), true);
  return (
    <>
      <ResourceView reading={useHead(path)} waiting={<Waiting lines={2} />}>
        {({ fileName, warnings }) => {
          const own = format === '8949' ? warnings : warnings.filter((text) => !general.includes(text));
          return (
            <>
              <Sentences texts={own} />
              <p class="fine">
                {own.length === 0 && 'Nothing to finish by hand. '}
                File: <code>{fileName}</code>
              </p>
            </>
          );
        }}
      </ResourceView>
      {format === 'form-8997-csv' && (
        <p>
          <a href={to('/funds', { year: report.year })}>View by part</a>
        </p>
      )}
      {names.length > 0 && (
        <ChoiceFields names={names} choices={choices} onChange={(changed, value) => show({ [changed]: value })} />
      )}
      {kind === 'PDF' && (
        <button type="button" aria-expanded={seen === path} onClick={() => setSeen(seen === path ? null : path)}>
          <Icon name="shown" /> {seen === path ? 'Close preview' : 'Preview'}
        </button>
      )}
      {seen === path && <Preview title={`${name}, ${report.year}`} path={path} />}
    </>
  );
}

/** The accounts with an assumed form, with buttons to confirm or change it. */
export function FormsToConfirm({ year }: { readonly year: number }) {
  const summary = useSummary(year);
  return summary === undefined ? null : <AssumedForms summary={summary} />;
}

function useSummary(year: number) {
  return useResource(`summary ${year}`, () => readSummary(year)).data;
}

/** Returns the accounts whose form the report assumes although it has been confirmed since. */
export function useConfirmedForms(report: YearReport): readonly string[] {
  const assumed = useSummary(report.year)?.assumedForms;
  const inReport = useHead(generalPath(report)).data?.assumedForms ?? [];
  if (assumed === undefined) return [];
  return inReport.filter((account) => assumed.every((one) => one.account !== account));
}

/** What the reader must know about the numbers of the year, whichever file they use. */
function BeforeFiling({ report: { year, ...report } }: { readonly report: YearReport }) {
  const issues = useSummary(year)?.issues ?? 0;
  const partial = usePartialAccounts(year);
  const { warnings = [], answerable = [] } = useHead(generalPath(report)).data ?? {};
  // The page asks for assumed forms in a part of its own.
  const others = warnings.filter((text) => !answerable.includes(text));
  if (others.length + issues + partial.length === 0) return null;
  return (
    <Notice>
      <p>
        <strong>Before you file</strong>
      </p>
      <ul class="warnings">
        {issues > 0 && (
          <li>
            <OpenIssuesText year={year} issues={issues} />
          </li>
        )}
        {partial.length > 0 && (
          <li>
            The files of {formatNames(partial)} may not cover all of {year}.{' '}
            <a href={to('/import')}>See what your files cover</a>.
          </li>
        )}
        {others.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Notice>
  );
}

function Sentences({ texts }: { readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <ul class="warnings">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

interface DownloadHead {
  readonly fileName: string;
  readonly warnings: readonly string[];
  readonly answerable: readonly string[];
  readonly assumedForms: readonly string[];
}

/** The name and the warnings of a file. */
function useHead(path: string) {
  return useResource<DownloadHead>(path, async () => (await request(path.replace('/download?', '/warnings?'))).json());
}

/** The entries as a table have no warnings of their own, so theirs are those about the year. */
function generalPath({ id }: Pick<YearReport, 'id'>): string {
  return downloadPath(id, 'csv', {});
}
