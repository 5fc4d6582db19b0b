import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { api, type DataOf, useApi } from '../api/api.ts';
import { formatCount } from '../format/amounts.ts';
import { Card, Page, ResourceView } from '../parts/page.tsx';

type PolicyTexts = DataOf<typeof api.policies.get>;

/** The privacy policy or the terms: the operator's own text, and what the software does. */
export default function PolicyPage() {
  const isPrivacy = useLocation().path === '/privacy';
  const policies = useApi('policies', () => api.policies.get());
  return (
    <Page title={isPrivacy ? 'Privacy' : 'Terms'}>
      <ResourceView reading={policies}>
        {(policies) => (isPrivacy ? <Privacy policies={policies} /> : <Terms policies={policies} />)}
      </ResourceView>
      <p>
        <a href={isPrivacy ? '/terms' : '/privacy'}>{isPrivacy ? 'Terms' : 'Privacy'}</a> ·{' '}
        <a href="/help">Help center</a>
      </p>
    </Page>
  );
}

interface PolicyProps {
  readonly policies: PolicyTexts;
}

function Privacy({ policies }: PolicyProps) {
  const { privacy, services, deletionGraceDays, backups } = policies;
  return (
    <>
      {privacy === null ? (
        <p>
          The operator of this server has set no privacy policy. This page describes what the software does with your
          data.
        </p>
      ) : (
        <>
          <section class="card policy">
            <Markdown text={privacy} />
          </section>
          <p>The rest of this page describes what the software does with your data.</p>
        </>
      )}
      <Card class="policy" title="What is stored">
        <ul>
          <li>Your email address, your name if you enter it, your plan and your settings.</li>
          <li>
            The files that you import, byte for byte, with their transactions, your answers, edits, notes, prices,
            reports, and the questions that you ask the assistant.
          </li>
          <li>The name and the Social Security number to print on forms, only if you enter them.</li>
          <li>
            An activity log of your account: sign-ins, failed sign-ins, changes and downloads, with the time and the
            network address.
          </li>
        </ul>
      </Card>
      <Card class="policy" title="How it is protected">
        <ul>
          <li>
            Passwords, sessions, tokens, links and recovery codes are stored only as hashes. The keys of authenticator
            apps are encrypted, and so are emails until they are delivered.
          </li>
          <li>
            Your transactions, forms and Social Security number are stored as plain text in the database. The database
            itself checks on every query that they belong to you. The operator of this server can read them.
          </li>
          <li>Other people see your books only if you give them access, and you can end that at any time.</li>
        </ul>
      </Card>
      <Card class="policy" title="Cookies and your browser">
        <ul>
          <li>The cookie “session” signs you in and ends after seven days.</li>
          <li>
            The cookie “device” recognizes this browser after a sign-in, which protects your account from guessed
            passwords. It ends after 400 days.
          </li>
          <li>A sign-in with Google or GitHub adds a cookie that ends after a few minutes.</li>
          <li>
            Your browser keeps the year that you chose, the colors and similar preferences, and unsent input until you
            send it, sign out or close the tab.
          </li>
          <li>There are no trackers and no advertising, and pages load nothing from other hosts.</li>
        </ul>
      </Card>
      <Card class="policy" title="Who else gets data">
        {services.length === 0 ? (
          <p>Nobody. This server uses no services on other hosts.</p>
        ) : (
          <>
            <p>Only these services, which the operator turned on:</p>
            <ul>
              {services.map((name) => (
                <li key={name}>{serviceTexts[name]}</li>
              ))}
            </ul>
          </>
        )}
      </Card>
      <Card class="policy" title="Logs">
        <p>
          The server's log contains sign-ins, refused requests and errors, with the ids of users and requests and
          network addresses. It contains no transactions, no amounts and no names.
          {!services.includes('email') &&
            ' This server sends no email, so emails are written to the log with their links.'}{' '}
          The operator decides how long it is kept.
        </p>
      </Card>
      <Card class="policy" title="Download and delete">
        <p>
          You can <a href="/account/data">download everything</a> in one file at any time, and delete your account.
          Deleting ends all access at once.{' '}
          {deletionGraceDays === 0
            ? 'Your data is erased immediately.'
            : `Your data is erased after ${formatCount(deletionGraceDays, 'day')}. Until then, you can cancel.`}{' '}
          Afterward, only the id of the account and the time remain, so that it can be deleted again if an older backup
          is restored. Logs of people who worked in your books can still mention your account.
        </p>
      </Card>
      <Card class="policy" title="Backups">
        <p>
          {backups === null
            ? 'This server makes no backups of its own. The operator may back up the database in another way, and decides how long those backups are kept.'
            : `This server makes backups and keeps each one for about ${formatCount(backups.days, 'day')}. They are ${backups.encrypted ? 'encrypted' : 'not encrypted'}. Deleted data disappears from them as they expire.`}
        </p>
      </Card>
    </>
  );
}

const serviceTexts: Readonly<Record<PolicyTexts['services'][number], string>> = {
  assistant:
    'An AI service: your questions to the assistant, and the figures of your books that it needs to answer them. Nothing is sent until you ask.',
  email: 'A mail server: the emails to you.',
  payments: 'Stripe: your email address and an id, if you buy a plan. Lotbook never sees your card.',
  google: 'Google, if you sign in with it: that you sign in here.',
  github: 'GitHub, if you sign in with it: that you sign in here.',
  coin_prices: 'Price services for coins: names of coins and dates, never amounts or who you are.',
  security_prices: 'A price service for securities: tickers and dates, never amounts or who you are.',
  exchanges:
    'Exchanges and brokers that you connect: the view-only key that you entered for them, and requests for your history there.',
  currency_rates: 'The European Central Bank: a request for its published exchange rates, without any data of yours.',
  storage: 'A storage service of the operator: imported files and the books of reports.',
  traces:
    "The operator's monitoring: which kinds of requests are made and how long they take, without names or amounts.",
};

function Terms({ policies: { terms, services } }: PolicyProps) {
  if (terms !== null) {
    return (
      <section class="card policy">
        <Markdown text={terms} />
      </section>
    );
  }
  return (
    <>
      <p>The operator of this server has set no terms. This page describes only what the software does.</p>
      <Card class="policy" title="What Lotbook does">
        <ul>
          <li>
            It calculates gains, losses and forms from the files and answers that you provide. If they are incomplete or
            wrong, so are the results. Compare them with your records before you file.
          </li>
          <li>Forms are marked as drafts while questions about them are open. Nothing is filed for you.</li>
          <li>It does not give tax advice.</li>
          <li>
            Each plan has limits, which the start page shows.
            {services.includes('payments')
              ? ' Payments are made through Stripe. You can cancel on your plan page.'
              : ' This server takes no payments.'}
          </li>
          <li>
            You can <a href="/account/data">download and delete</a> your data at any time.{' '}
            <a href="/privacy">Privacy</a> describes what is stored.
          </li>
        </ul>
      </Card>
    </>
  );
}

/** Shows a text in Markdown: headings, paragraphs, lists, bold text and links. All other characters are text. */
function Markdown({ text }: { readonly text: string }) {
  const blocks = text.replaceAll('\r\n', '\n').split(/\n\s*\n|\n(?=#)|(?<=^#.*)\n/m);
  return (
    <>
      {blocks.map((block, at) => (
        <Block key={at} text={block.trim()} />
      ))}
    </>
  );
}

function Block({ text }: { readonly text: string }) {
  const heading = /^(#{1,6})\s+(.*)$/.exec(text);
  if (heading !== null)
    return (heading[1]?.length ?? 0) > 2 ? <h3>{inline(heading[2] ?? '')}</h3> : <h2>{inline(heading[2] ?? '')}</h2>;
  const mark = /^(?:[-*+]|\d+\.)\s+/;
  if (!mark.test(text)) return text === '' ? null : <p>{inline(text)}</p>;
  const items = text
    .split(/\n(?=(?:[-*+]|\d+\.)\s)/)
    .map((item) => <li key={item}>{inline(item.replace(mark, ''))}</li>);
  return /^\d/.test(text) ? <ol>{items}</ol> : <ul>{items}</ul>;
}

/** Formats bold text and links. A link can only lead to a web page, an email address or a page of this server. */
function inline(text: string): ComponentChildren {
  return text.split(/(\*\*[^*]+\*\*|\[[^\]]+\]\((?:https?:\/\/|mailto:|\/(?!\/))[^\s)]*\))/).map((part, at) => {
    const link = /^\[([^\]]+)\]\((.*)\)$/.exec(part);
    if (link !== null)
      return (
        <a key={at} href={link[2] ?? ''} rel="noreferrer">
          {link[1]}
        </a>
      );
    return part.startsWith('**') && part.endsWith('**') && part.length > 4 ? (
      <strong key={at}>{part.slice(2, -2)}</strong>
    ) : (
      part
    );
  });
}
