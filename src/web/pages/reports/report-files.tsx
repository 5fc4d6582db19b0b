import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { isPreview } from '../../../forms/preview.ts';
import { request, useResource } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { type Problem, toProblem } from '../../api/problem.ts';
import { useAccounts, useReviewCount } from '../../api/status.ts';
import { bytes, formatCount } from '../../format/amounts.ts';
import { Button, LinkButton } from '../../parts/button.tsx';
import { findPartialAccounts } from '../../parts/coverage.tsx';
import { Choice, toOptions } from '../../parts/field.tsx';
import { DownloadButton, fetchFile } from '../../parts/files/download-button.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import { Notice, ProblemNotice, ResourceView, Waiting } from '../../parts/page.tsx';
import { Points } from '../../parts/points.tsx';
import { AssumedForms, formatNames } from '../year/checklist.tsx';
import { useSummary } from '../year/summary.ts';
import { formatWords, otherFiles, type Purpose, programFiles, programs, purposes } from './formats.ts';
import {
  choiceNamesOf,
  downloadPath,
  type FormatChoiceName,
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
      <details class="card" open={named !== undefined && programFiles.includes(named)}>
        <summary>More tax programs</summary>
        <div class="cards purposes">
          {programs.map((program) => (
            <PurposeCard key={program.title} report={report} {...program} />
          ))}
        </div>
      </details>
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

/** What to finish by hand in a file, its options, and a preview of a PDF. */
function FileNotes({ report, format, path }: Readonly<{ report: YearReport; format: FormatId; path: string }>) {
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
              <Points items={own} />
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
        <div class="fields">
          {names.map((name) => (
            <Choice
              key={name}
              {...choiceWords[name]}
              value={choices[name] ?? ''}
              options={[{ value: '', label: 'Default' }, ...choiceWords[name].options]}
              onChange={(value) => show({ [name]: value })}
            />
          ))}
        </div>
      )}
      {kind === 'PDF' && (
        <Button
          icon="shown"
          label={seen === path ? 'Close preview' : 'Preview'}
          aria-expanded={seen === path}
          onClick={() => setSeen(seen === path ? null : path)}
        />
      )}
      {seen === path && <Preview title={`${name}, ${report.year}`} path={path} />}
    </>
  );
}

/** The accounts with an assumed form, with buttons to confirm or change it. */
export function FormsToConfirm({ year }: { readonly year: number }) {
  const summary = useSummary(year).data;
  return summary === undefined ? null : <AssumedForms summary={summary} />;
}

/** Returns the accounts whose form the report assumes although it has been confirmed since. */
export function useConfirmedForms(report: YearReport): readonly string[] {
  const assumed = useSummary(report.year).data?.assumedForms;
  const inReport = useHead(generalPath(report)).data?.assumedForms ?? [];
  if (assumed === undefined) return [];
  return inReport.filter((account) => assumed.every((one) => one.account !== account));
}

/** What the reader must know about the numbers of the year, whichever file they use. */
function BeforeFiling({ report: { year, ...report } }: { readonly report: YearReport }) {
  const issues = useSummary(year).data?.issues ?? 0;
  const partial = findPartialAccounts(useAccounts().data?.data ?? [], year);
  const { warnings = [], answerable = [] } = useHead(generalPath(report)).data ?? {};
  // The page asks for assumed forms in a part of its own.
  const others = warnings.filter((text) => !answerable.includes(text));
  if (others.length + issues + partial.length === 0) return null;
  return (
    <Notice>
      <p>
        <strong>Before you file</strong>
      </p>
      <Points
        items={[
          issues > 0 && <OpenIssuesText year={year} issues={issues} />,
          partial.length > 0 && (
            <>
              The files of {formatNames(partial)} may not cover all of {year}.{' '}
              <a href={to('/import')}>See what your files cover</a>.
            </>
          ),
          ...others,
        ]}
      />
    </Notice>
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
const generalPath = ({ id }: Pick<YearReport, 'id'>): string => downloadPath(id, 'csv', {});

interface ChoiceWords {
  readonly label: string;
  readonly hint: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** The options that the form instructions allow. Options that are not set come from the settings. Values are the API's. */
const choiceWords: Readonly<Record<FormatChoiceName, ChoiceWords>> = {
  wholeDollars: {
    label: 'Amounts',
    hint: 'Whole dollars are allowed if you use them throughout your return.',
    options: toOptions({ true: 'Whole dollars', false: 'Dollars and cents' }),
  },
  columnB: {
    label: 'Date acquired',
    hint: 'For lots that include another holding period, such as after a wash sale or a gift.',
    options: [
      { value: 'held_when_term_differs', label: 'Start of the holding period if it decides the term' },
      { value: 'held', label: 'Start of the holding period' },
      { value: 'trade', label: 'Trade date' },
    ],
  },
  merge: {
    label: 'Rows',
    hint: 'Lots from one sale can share a row. If their dates differ, it shows VARIOUS.',
    options: [
      { value: 'none', label: 'One row per lot' },
      { value: 'same_lot', label: 'One row for parts of a lot sold on the same day' },
      { value: 'sale', label: 'One row per sale' },
    ],
  },
  digitalAssets: {
    label: 'Digital assets',
    hint: 'This format has no code for boxes G to L.',
    options: toOptions({ as_not_reported: 'As not reported to the IRS', left_out: 'Left out' }),
  },
  exception1: {
    label: 'Exception 1',
    hint: 'Puts the totals of sales with reported basis and no adjustments on Schedule D, lines 1a and 8a.',
    options: toOptions({ true: 'Use it', false: 'List every entry' }),
  },
  exception2: {
    label: 'Exception 2',
    hint: 'One row of totals for each broker and box, with code M. The entries are attached as a statement.',
    options: toOptions({ true: 'Use it', false: 'List every entry' }),
  },
};

/** A PDF preview drawn by the browser. A message and a download link replace it if the browser cannot preview PDFs. */
function Preview({ title, path }: { readonly title: string; readonly path: string }) {
  const [file, setFile] = useState<ShownFile | null>(null);
  const [read, setRead] = useState(0);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const leave = new AbortController();
    let made: string | null = null;
    setFile(null);
    setRead(0);
    setProblem(null);
    fetchFile(path, setRead, leave.signal).then(
      ({ blob, fileName }) => {
        made = URL.createObjectURL(blob);
        setFile({ url: made, fileName });
      },
      (error: unknown) => {
        if (!leave.signal.aborted) setProblem(toProblem(error));
      },
    );
    return () => {
      leave.abort();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [path, turn]);
  if (problem !== null) return <ProblemNotice problem={problem} onRetry={() => setTurn(turn + 1)} />;
  if (file === null) {
    return (
      <p class="fine" role="status">
        {read === 0 ? 'Preparing your file…' : `${bytes(read)} so far`}
      </p>
    );
  }
  if (!navigator.pdfViewerEnabled) {
    return (
      <div class="preview">
        <p role="status">Your browser can't preview PDFs. Download the file to open it.</p>
        <p class="actions">
          <LinkButton
            icon="reports"
            label={`Download ${file.fileName}`}
            isPrimary
            href={file.url}
            download={file.fileName}
          />
        </p>
      </div>
    );
  }
  return (
    <div class="preview">
      <p class="actions">
        <LinkButton icon="forward" label="Open in a new tab" href={file.url} target="_blank" rel="noopener" />
      </p>
      <iframe title={title} src={file.url} />
    </div>
  );
}

interface ShownFile {
  readonly url: string;
  readonly fileName: string;
}

/** The number of open items of a year, and their effect on its forms. */
export function OpenIssuesText({ year, issues }: { readonly year: number; readonly issues: number }) {
  const items = useReviewCount(year) ?? issues;
  return (
    <>
      <a href={to('/review', { year })}>{formatCount(items, 'item')} to review</a> for {year}. Its forms are marked{' '}
      <HelpTerm entry="draft">DRAFT</HelpTerm> until {items === 1 ? "it's" : "they're"} resolved.
    </>
  );
}
