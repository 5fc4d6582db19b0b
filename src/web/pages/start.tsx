import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { homePath } from '../api/books.ts';
import { account } from '../api/session.ts';
import { Money } from '../parts/amount.tsx';
import { MonthsChart } from '../parts/bar-chart.tsx';
import { Icon, type IconName, LinkButton } from '../parts/button.tsx';
import { DemoButton, useHasDemo } from '../parts/demo-button.tsx';
import { Page } from '../parts/page.tsx';
import { Plans } from '../parts/plans.tsx';
import { picturedFigures } from './start/pictured.ts';

/** The start page with features and plans. Signed-in users go to the overview. */
export default function Start() {
  const { route } = useLocation();
  const isSignedIn = account.value ? !account.value.demo : false;
  useEffect(() => {
    if (isSignedIn) route(homePath(), true);
  }, [isSignedIn]);
  return (
    <div class="start">
      <div class="start-bar">
        <span class="brand">Lotbook</span>
        <a href="/sign-in">Sign in</a>
      </div>
      <div class="start-head">
        <div>
          <Page
            title="Get a Form 8949 you can file"
            lead="For US investors, crypto traders and their CPAs. Upload your files, fix what's missing, and download your forms."
          >
            <StartButtons />
          </Page>
        </div>
        <Picture />
      </div>
      <ul class="promises">
        {promises.map(({ icon, name, text }) => (
          <li key={name} class="card">
            <Icon name={icon} />
            <h2>{name}</h2>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      <Plans />
      <footer class="start-foot">
        <p>
          Developers: <DocsLink href="/docs">API docs</DocsLink> ·{' '}
          <DocsLink href="/v1/openapi.json">OpenAPI spec</DocsLink>
        </p>
        <p class="fine">
          No trackers, nothing loaded from other sites. Not tax advice. <a href="/privacy">Privacy</a> ·{' '}
          <a href="/terms">Terms</a>
        </p>
      </footer>
    </div>
  );
}

const promises: readonly { readonly icon: IconName; readonly name: string; readonly text: string }[] = [
  {
    icon: 'lines',
    name: 'Trace every number to its source',
    text: 'Click any amount to see the rows it came from, each step, and the tax rule behind it.',
  },
  {
    icon: 'questions',
    name: 'Nothing is guessed',
    text: "If something is missing we ask, and show what it's worth. Forms are marked DRAFT until it's resolved.",
  },
  {
    icon: 'lots',
    name: 'All your accounts in one place',
    text: 'Stocks, funds, options and crypto, exact to the cent, with wash sales across all the accounts you import.',
  },
];

/** Buttons to register or try the demo. */
function StartButtons() {
  const hasDemo = useHasDemo();
  return (
    <>
      <div class="actions">
        <LinkButton label="Create account" isPrimary href="/register" />
        {hasDemo && <DemoButton label="Try the demo" />}
      </div>
      <p class="fine">
        {hasDemo && 'The demo uses sample data; no account needed. '}
        Free for up to 50 transactions, no credit card.
      </p>
      <p class="start-sources">
        Reads the files of Robinhood, Fidelity, Schwab, Coinbase, Vanguard, E*TRADE, Interactive Brokers, Kraken and
        over 100 more, or any CSV. Set up in three short steps, and see your gains seconds after the upload.
      </p>
    </>
  );
}

/** A link to a URL outside the client. Because of the target attribute, the router leaves it to the browser. */
function DocsLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <a href={href} target="_top">
      {children}
    </a>
  );
}

/** One year of the demo books, as on its page. */
function Picture() {
  const { year, shortTerm, longTerm, net, washSales, questions, months } = picturedFigures;
  return (
    <figure class="start-picture">
      <div class="card">
        <p class="figure-name">Tax year {year}</p>
        <p class="start-net">
          <span class="figure">
            <Money amount={net} signed />
          </span>{' '}
          <span class="muted">net gain</span>
        </p>
        <dl class="start-figures">
          <Figure name="Short-term" amount={shortTerm} />
          <Figure name="Long-term" amount={longTerm} />
          <Figure name="Wash sales" amount={washSales} />
        </dl>
        <MonthsChart year={year} months={months} />
        <p class="start-question">
          <Icon name="questions" /> {questions} items to review: 12 SOL received from an unknown source.
        </p>
      </div>
      <figcaption class="fine">Sample data, calculated exactly like yours.</figcaption>
    </figure>
  );
}

function Figure({ name, amount }: { readonly name: string; readonly amount: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Money amount={amount} />
      </dd>
    </div>
  );
}
