import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { api, useApi } from '../api/api.ts';
import { to } from '../api/page-url.ts';
import { day } from '../format/dates.ts';
import { Money, Quantity } from '../parts/amount.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { HelpTerm } from '../parts/help-term.tsx';
import { Card, Page, ResourceView } from '../parts/page.tsx';
import { Table } from '../parts/tables/table.tsx';
import { HarvestView } from './plan/harvest.tsx';
import { SaleForm, type YearEndResponse } from './plan/sale-form.tsx';
import { WhatIfResult } from './plan/what-if.tsx';

const tabs = [
  { name: 'sale', label: 'Try a sale' },
  { name: 'losses', label: 'Tax-loss harvesting' },
  { name: 'year-end', label: 'Before December 31' },
] as const;

/** Planned sales: the effect of one sale, losses to harvest, and what to do before the end of the year. */
export default function PlanPage() {
  const { query } = useLocation();
  const view = query.view === 'losses' || query.view === 'year-end' ? query.view : 'sale';
  return (
    <Page title="Tax planning" lead="See how a sale would change your taxes before you make it. Nothing is saved.">
      <nav class="tabs" aria-label="Plans">
        {tabs.map(({ name, label }) => (
          <a
            key={name}
            href={to('/planning', { view: name === 'sale' ? null : name })}
            aria-current={name === view ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      {view === 'losses' && <HarvestView />}
      {view === 'year-end' && <YearEndView />}
      {view === 'sale' && (
        <>
          <SaleForm />
          <WhatIfResult />
        </>
      )}
    </Page>
  );
}

/** What to do before the end of the year, each with its date: the tasks of the December reminders. */
function YearEndView() {
  const { query } = useLocation();
  const filter = /^\d{4}$/.test(query.year ?? '') ? { year: Number(query.year) } : {};
  const tasks = useApi(`year-end ${filter.year}`, () => api.tax['year-end'].get({ query: filter }));
  return (
    <ResourceView reading={tasks}>
      {(tasks) => (
        <>
          <LastDays tasks={tasks} />
          <Brokers tasks={tasks} />
          <Funds tasks={tasks} />
          <WashWindows tasks={tasks} />
        </>
      )}
    </ResourceView>
  );
}

interface TasksProps {
  readonly tasks: YearEndResponse;
}

interface TaskProps {
  /** The deadline. */
  readonly date: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

function Task({ date, title, children }: TaskProps) {
  return (
    <section class="card">
      <p class="fine plain-line">By {day(date)}</p>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function LastDays({ tasks: { year, lastTradingDay, lastDay } }: TasksProps) {
  return (
    <Task date={lastTradingDay} title={`Sell what should count in ${year}`}>
      <p>
        {day(lastTradingDay)} is the last trading day of {year}. A sale of securities counts on the day of the trade,
        even if it settles in January.
        {lastDay !== lastTradingDay && ` Digital assets can be sold through ${day(lastDay)}.`}
      </p>
      <p>
        <a href={to('/planning', { view: 'losses' })}>Losses you could take</a> ·{' '}
        <a href={to('/planning')}>Try a sale</a>
      </p>
    </Task>
  );
}

function Brokers({ tasks: { brokers } }: TasksProps) {
  return (
    <>
      {brokers.map(({ account, from, notified, notifiedOn, notifiedHow, message }) =>
        notified ? (
          <Card key={account} title={`${account} has your instructions`}>
            <p>
              You sent them{notifiedOn !== null && ` on ${day(notifiedOn)}`}
              {notifiedHow !== null && ` (${notifiedHow})`}. <a href={to('/settings/accounts')}>Change</a>
            </p>
          </Card>
        ) : (
          <Task key={account} date={from} title={`Tell ${account} which lots you sell`}>
            <p>
              From {day(from)}, {account} sells your digital assets first in, first out unless it has your{' '}
              <HelpTerm entry="specific-identification">instructions</HelpTerm> by the time of the sale (Notice
              2026-20). Send this text, keep the answer, and enter the date in the{' '}
              <a href={to('/settings/accounts')}>settings of the account</a>.
            </p>
            <CopyText text={message} what="Text" />
          </Task>
        ),
      )}
    </>
  );
}

function Funds({ tasks: { funds, year } }: TasksProps) {
  return (
    <>
      {funds.map(({ fund, account, quantity, dueOn, included, value }) => (
        <Task key={`${fund} ${account}`} date={dueOn} title={`${fund}: your deferred gain is taxed`}>
          <p>
            <Money amount={included} /> is included on {day(dueOn)} for <Quantity amount={quantity} /> {fund} in{' '}
            {account}.{' '}
            {value === null ? (
              <>
                If the interest is worth less, that value counts instead. Ask the fund for its value on that day, then{' '}
                <a href={to('/funds', { year })}>enter it</a>.
              </>
            ) : (
              <>
                You entered a value of <Money amount={value} />.
              </>
            )}
          </p>
        </Task>
      ))}
    </>
  );
}

function WashWindows({ tasks: { washWindows, year } }: TasksProps) {
  if (washWindows.length === 0) return null;
  return (
    <Card title={`Don't buy these back in January ${year + 1}`}>
      <p>
        A purchase within 30 days of a sale disallows its loss (<HelpTerm entry="wash-sale">wash sale</HelpTerm>).
      </p>
      <Table
        label="Losses that a purchase could disallow"
        rows={washWindows}
        keyOf={(row) => washWindows.indexOf(row)}
        columns={[
          { head: 'Asset', cell: ({ asset }) => asset, note: ({ account }) => account },
          { head: 'Sold', kind: 'day', cell: ({ sold }) => sold },
          { head: 'Loss', kind: 'money', cell: ({ loss }) => loss },
          { head: 'Wait through', kind: 'day', cell: ({ until }) => until },
        ]}
      />
    </Card>
  );
}
