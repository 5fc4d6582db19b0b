import { useState } from 'preact/hooks';
import {
  type ChosenSource,
  getFirstRun,
  otherSource,
  type Source,
  saveFirstRun,
  useChosenSources,
} from '../../api/first-run.ts';
import { useFormats } from '../../api/formats.ts';
import { to } from '../../api/page-url.ts';
import { useTaxYear, useYears } from '../../api/tax-year.ts';
import { askForRest, formatCovered } from '../../format/covered.ts';
import { day } from '../../format/dates.ts';
import { now } from '../../format/now.ts';
import { Field } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { exportGuides } from './guides.ts';

/** How to export the files of each place where the person traded. */
export function GuideList() {
  return (
    <section class="card">
      <h2>How to download your history</h2>
      <Resume />
      <SourceChoice />
    </section>
  );
}

/** Leads back to the first steps until there are transactions. */
function Resume() {
  const years = useYears().data?.data;
  const step = getFirstRun()?.step;
  if (!step || years?.length !== 0) return null;
  return (
    <p>
      <a href={to('/welcome', { step })}>Continue setup: step {step} of 3</a>
    </p>
  );
}

/** The places to choose from, and how to get the files of the chosen ones. */
export function SourceChoice() {
  return (
    <div class="source-choice">
      <SourcePicker />
      <SourceList />
    </div>
  );
}

const usualSources: readonly Source[] = exportGuides.map(({ name, source }) => ({ id: source ?? name, label: name }));
/** The number of places shown before a search. */
const shownFirst = 20;
const usualIds: ReadonlySet<string> = new Set([otherSource, ...usualSources].map(({ id }) => id));

/** The most used places, all others by search, and one for any other CSV. */
function SourcePicker() {
  const [sought, setSought] = useState('');
  const formats = useFormats().data?.data ?? [];
  const chosen = getFirstRun()?.sources ?? [];
  const text = sought.trim().toLowerCase();
  const known = [...new Set(formats.map(({ source }) => source))];
  const others = (text === '' ? chosen : known.map((id) => ({ id, label: id }))).filter(({ id }) => !usualIds.has(id));
  const isChosen = ({ id }: Source) => chosen.some((each) => each.id === id);
  const found = [...usualSources, ...others].filter((source, at) =>
    text === '' ? at < shownFirst || isChosen(source) : `${source.label} ${source.id}`.toLowerCase().includes(text),
  );
  const toggle = (source: Source) => {
    const rest = chosen.filter(({ id }) => id !== source.id);
    saveFirstRun({ sources: rest.length < chosen.length ? rest : [...chosen, source] });
  };
  return (
    <div>
      <Field label="Your broker, exchange or wallet" type="search" value={sought} onInput={setSought} />
      <fieldset class="tiles">
        <legend class="fine">
          Choose all that you used, in any year.{known.length > 0 && ` The search finds all ${known.length}.`}
        </legend>
        {[...found, otherSource].map((source) => (
          <label key={source.id} class="tile">
            <input type="checkbox" checked={isChosen(source)} onChange={() => toggle(source)} />
            {source.label}
          </label>
        ))}
      </fieldset>
      <p class="fine" role="status">
        {found.length === 0 && `We can read any CSV. Choose “${otherSource.label}”.`}
      </p>
    </div>
  );
}

/** The chosen places: the days that their files cover, or how to get the files. */
export function SourceList() {
  const sources = useChosenSources();
  const year = useTaxYear();
  if (sources.length === 0) return <p class="muted">Choose a place to see how to download its files.</p>;
  return (
    <ul class="sources" aria-label="Your files">
      {sources.map((source) => {
        const rest = source.covered === null || year === null ? null : askForRest(year, source.covered);
        return (
          <li key={source.id} class={rest === null ? (source.hasFiles ? 'done' : undefined) : 'partial'}>
            <Icon name={rest !== null ? 'warning' : source.hasFiles ? 'check' : 'import'} />
            <div>
              <strong>{source.label}</strong>
              {source.hasFiles ? <Covered source={source} rest={rest} /> : <ExportSteps source={source} />}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function Covered({ source: { covered }, rest }: { readonly source: ChosenSource; readonly rest: string | null }) {
  if (covered === null) return <p>Imported.</p>;
  return (
    <p>
      {rest === null ? 'Imported:' : 'Covers'} {formatCovered(covered)}. {rest}
    </p>
  );
}

function ExportSteps({ source }: { readonly source: ChosenSource }) {
  const formats = (useFormats().data?.data ?? []).filter((format) => format.source === source.id);
  const year = useTaxYear();
  const guide = exportGuides.find(({ name }) => name === source.label);
  const isCrypto = formats.length > 0 && formats.every(({ assetClass }) => assetClass === 'crypto');
  const last = isCrypto ? `${year}-12-31` : `${Number(year) + 1}-01-30`;
  const isPast = last < new Date(now()).toISOString();
  return (
    <>
      <p>{guide?.steps ?? 'Export your full history as CSV.'}</p>
      {source.id === otherSource.id && <p>We'll ask you once what each column contains.</p>}
      <p class="fine">
        Dates: from your first purchase to {isPast ? day(last) : 'today'}.
        {!isCrypto && isPast && ` The 30 days after ${year} decide wash sales.`} If the dates are limited, download one
        file for each year.
      </p>
    </>
  );
}
