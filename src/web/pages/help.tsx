import { useLocation, useRoute } from 'preact-iso';
import { useResource } from '../api/api.ts';
import { type HelpSummary, readHelpList, useHelpArticle } from '../api/help.ts';
import { to } from '../api/page-url.ts';
import { account } from '../api/session.ts';
import { SearchField } from '../parts/field.tsx';
import { HelpAuthority, HelpText } from '../parts/help-term.tsx';
import { Card, Page, ResourceView } from '../parts/page.tsx';

/** The help center: a search, the entries by kind, or one entry. */
export default function HelpPage() {
  const { id } = useRoute().params;
  return id === undefined ? <HelpCenter /> : <HelpArticlePage key={id} id={id} />;
}

function HelpCenter() {
  const { query, route } = useLocation();
  const asked = query.q ?? '';
  const reading = useResource(`help list ${asked}`, () => readHelpList(asked));
  return (
    <Page title="Help" lead="Terms, rules, deadlines and instructions.">
      <search class="help-search">
        <SearchField
          label="Search help"
          value={asked}
          onSearch={(q) => route(to('/help', { q }), true)}
          placeholder="wash sale, box B, TurboTax"
        />
      </search>
      <ResourceView reading={reading}>
        {({ data }) => (asked === '' ? <AllEntries entries={data} /> : <FoundEntries entries={data} words={asked} />)}
      </ResourceView>
    </Page>
  );
}

function FoundEntries({ entries, words }: { readonly entries: readonly HelpSummary[]; readonly words: string }) {
  return (
    <>
      <p role="status" class="visually-hidden">
        {entries.length} found
      </p>
      {entries.length === 0 ? (
        <p>
          No entry matches “{words}”. Try a single word
          {account.value !== null && (
            <>
              , or <a href={to('/assistant')}>ask the assistant</a> about your own numbers
            </>
          )}
          .
        </p>
      ) : (
        <EntryList entries={entries} />
      )}
    </>
  );
}

const kindTitles = [
  ['how-to', 'How to'],
  ['deadline', 'Deadlines'],
  ['rule', 'Rules'],
  ['term', 'Terms'],
] as const satisfies readonly (readonly [HelpSummary['kind'], string])[];

function AllEntries({ entries }: { readonly entries: readonly HelpSummary[] }) {
  return (
    <>
      {kindTitles.map(([kind, title]) => (
        <Card key={kind} title={title}>
          <EntryList entries={entries.filter((entry) => entry.kind === kind)} />
        </Card>
      ))}
    </>
  );
}

function EntryList({ entries }: { readonly entries: readonly HelpSummary[] }) {
  return (
    <ul class="help-list">
      {entries.map(({ id, title, summary }) => (
        <li key={id}>
          <a href={to(`/help/${id}`)}>{title}</a>
          <p class="fine">{summary}</p>
        </li>
      ))}
    </ul>
  );
}

function HelpArticlePage({ id }: { readonly id: string }) {
  const reading = useHelpArticle(id);
  return (
    <Page title={reading.data?.title ?? 'Help'} lead={<a href={to('/help')}>All help entries</a>}>
      <ResourceView reading={reading}>
        {({ text, authority, related }) => (
          <article class="card help-article">
            <HelpText text={text} />
            <HelpAuthority authority={authority} />
            {related.length > 0 && (
              <nav aria-label="Related entries">
                <h2>Related</h2>
                <ul>
                  {related.map((other) => (
                    <li key={other.id}>
                      <a href={to(`/help/${other.id}`)}>{other.title}</a>
                    </li>
                  ))}
                </ul>
              </nav>
            )}
          </article>
        )}
      </ResourceView>
    </Page>
  );
}
