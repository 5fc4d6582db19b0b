import { useState } from 'preact/hooks';
import {
  type ChosenSource,
  getFirstRun,
  otherSource,
  type Source,
  saveFirstRun,
  useChosenSources,
} from '../../api/first-run.ts';
import { to } from '../../api/page-url.ts';
import { useFormats } from '../../api/status.ts';
import { useTaxYear, useYears } from '../../api/tax-year.ts';
import { askForRest, formatCovered } from '../../format/covered.ts';
import { day, now } from '../../format/dates.ts';
import { Icon } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { Card } from '../../parts/page.tsx';

/** How to export the files of each place where the person traded. */
export function GuideList() {
  return (
    <Card title="How to download your history">
      <Resume />
      <SourceChoice />
    </Card>
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

/** The number of places shown before a search. */
const shownFirst = 20;

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
  const isCrypto = formats.length > 0 && formats.every(({ assetClass }) => assetClass === 'crypto');
  const last = isCrypto ? `${year}-12-31` : `${Number(year) + 1}-01-30`;
  const isPast = last < new Date(now()).toISOString();
  return (
    <>
      <p>{exportGuides[source.label] ?? 'Export your full history as CSV.'}</p>
      {source.id === otherSource.id && <p>We'll ask you once what each column contains.</p>}
      <p class="fine">
        Dates: from your first purchase to {isPast ? day(last) : 'today'}.
        {!isCrypto && isPast && ` The 30 days after ${year} decide wash sales.`} If the dates are limited, download one
        file for each year.
      </p>
    </>
  );
}

/** The most frequently used sources, most used first, with the steps to export a file. Small menu changes do not matter. */
const exportGuides: Readonly<Record<string, string>> = {
  Robinhood:
    'In the app or on the website, open Account, then Reports and statements, and generate an account activity report for all dates.',
  Fidelity:
    'On the website, open Activity & Orders, choose the account and the dates (a year at a time), and download the history as CSV. A Quicken file (QFX) is read too.',
  Schwab:
    'On the website, open Accounts, then History, choose the account and the dates, and export it as CSV, or as a Quicken file (QFX). Realized gains have their own tab.',
  Coinbase: 'On the website, open Taxes or Statements, and generate the transaction history for all time as CSV.',
  Vanguard:
    'On the website, open the download center under transaction history, and choose a spreadsheet-compatible CSV or a Quicken file (QFX), the accounts and the dates.',
  'E*TRADE':
    "On the website, open the account's transactions, choose the longest date range, and download them as CSV. Gains and losses have their own section.",
  'Interactive Brokers':
    'In the Client Portal, under Performance & Reports, run the activity statement for each year as CSV, or a Flex query with trades as CSV or XML.',
  Kraken:
    'On the website, open Documents or History, then Export, and create a Ledgers export with all fields and all dates. It comes as a ZIP, which you can drop as it is.',
  Webull: "On the website or in the app, open your account's documents or orders, and export the order records as CSV.",
  'Cash App':
    'Sign in at cash.app in a browser, open Activity or Documents, and export the CSV files for Bitcoin and for stocks.',
  'Merrill Edge':
    'On the website, open Activity, choose the account and the dates, and download it as CSV. Realized gains have their own section.',
  Gemini:
    'On the website, open the statements or tax section of the account and export the transaction history. Drop the workbook as it is.',
  'Crypto.com App': 'In the app, open the transaction history, choose Export, and export each wallet for all years.',
  'Morgan Stanley': "On the website, open the account's activity, choose all types and dates, and download it as CSV.",
  'Binance.US': 'On the website, open Tax Statements or Transaction History and export everything as CSV.',
  tastytrade: 'On the website, open History, then Transactions, set the dates, and download the CSV.',
  Binance: 'On the website, under Orders or Wallet, open the transaction history and generate statements for all time.',
  Koinly: 'On the Transactions page, export everything as CSV.',
  'Ledger Live': 'In the app, open Settings or an account, and save the operations history of all accounts as CSV.',
  Etherscan:
    'Open the page of your address, and download each list (transactions, internal, tokens) as CSV at its foot.',
  KuCoin:
    "On the website, open your account's download center or the order history, and export the bills for each year.",
  eToro:
    'On the website, open the account statement under Portfolio and History, and download it as a workbook. Drop it as it is, and import its sheet of closed positions.',
  'Trading 212':
    'In the app, open History, choose Export, and include orders, dividends and interest, one year at a time.',
  Revolut:
    'In the app, open the stocks or crypto account, choose Statements, and download the account statement for all time as a spreadsheet.',
  Uphold: 'On the website, open Activity or Reports, and request the transaction report as CSV. It arrives by email.',
  OKX: 'On the website, open the order center or the report center, and download the trading history and the account bills as CSV.',
  Bybit: "On the website, open your account's data export and request the transaction logs for each year.",
  Bitstamp: 'On the website, open Transactions, choose all types and dates, and export them as CSV.',
  Bitfinex: 'On the website, open Reports, choose Ledgers with all currencies and dates, and export it as CSV.',
  Electrum: "In the app, open the wallet's History tab and export the history as CSV.",
  DEGIRO: 'On the website, open Activity, then Transactions, set the dates, and export them as CSV.',
};

/** The sources whose file formats have another name. */
const formatSources: Readonly<Record<string, string>> = {
  'Merrill Edge': 'Merrill',
  'Crypto.com App': 'Crypto.com',
  Etherscan: 'Ethereum',
};

const usualSources: readonly Source[] = Object.keys(exportGuides).map((label) => ({
  id: formatSources[label] ?? label,
  label,
}));
const usualIds: ReadonlySet<string> = new Set([otherSource, ...usualSources].map(({ id }) => id));
