import { Elysia, t } from 'elysia';
import { requireFound } from '../../../http/errors.ts';
import { group } from '../../../http/operations.ts';
import { closed, listOf, nullable, oneOf } from '../../../http/schemas.ts';
import { findHelpEntry, type HelpEntry, helpEntries, helpKinds } from './entries.ts';
import { searchHelp } from './search.ts';

const entryId = t.String({ description: 'The id of an entry, such as `wash-sale`.', examples: ['wash-sale'] });
const summary = {
  id: entryId,
  title: t.String({ examples: ['Wash sale'] }),
  kind: oneOf(helpKinds, 'A term, a rule of law, instructions, or a date to keep.'),
};

const HelpSummary = closed(
  { ...summary, summary: t.String({ description: 'The first sentence of the entry.' }) },
  { title: 'HelpSummary' },
);
const HelpDetail = closed(
  {
    ...summary,
    text: t.String({ description: 'Markdown: paragraphs, numbered steps, and names of pages in bold.' }),
    authority: t.Array(
      closed({
        title: t.String({ examples: ['IRC 1091'] }),
        href: nullable(t.String({ description: 'A public page of the authority.' })),
      }),
      { description: 'The law or publication that the text is taken from.' },
    ),
    related: t.Array(closed({ id: entryId, title: t.String() })),
  },
  { title: 'HelpEntry' },
);

const { open } = group('Help');
const hitsMax = 20;

/** Searches and returns the entries of the help center. Needs no session. */
export const helpRoutes = () =>
  new Elysia({ prefix: '/help' })
    .get(
      '',
      ({ query: { q, kind } }) => {
        const found = q === undefined || q.trim() === '' ? helpEntries : searchHelp(q).map(({ entry }) => entry);
        const data = found.filter((entry) => kind === undefined || entry.kind === kind);
        const limit = q === undefined ? data.length : hitsMax;
        return { data: data.slice(0, limit).map(toSummary), hasMore: false, nextCursor: null };
      },
      open('listHelpEntries', null, {
        summary: 'Search the help center',
        description: 'Returns up to 20 entries, the best match first.',
        query: {
          q: t.Optional(
            t.String({
              maxLength: 400,
              description: 'A question or some words. Without it, all entries are listed by title.',
              examples: ['wash sale of crypto'],
            }),
          ),
          kind: t.Optional(oneOf(helpKinds, 'Only entries of this kind.')),
        },
        response: { 200: listOf(HelpSummary) },
      }),
    )
    .get(
      '/:entry',
      ({ params }) => {
        const entry = requireFound(findHelpEntry(params.entry));
        return toDetail(entry);
      },
      open('getHelpEntry', null, {
        summary: 'Get an entry of the help center',
        params: closed({ entry: entryId }),
        response: { 200: HelpDetail },
      }),
    );

function toSummary({ id, title, kind, text }: HelpEntry) {
  return { id, title, kind, summary: firstSentence(text) };
}

/** Returns the first sentence without marks. A period in a citation or an abbreviation does not end it. */
function firstSentence(text: string): string {
  const plain = text.replace(/^\d+\. /, '').replaceAll('**', '');
  return /^[\s\S]+?[.!?](?=\s+[A-Z]|\s+\d+\.|$)/.exec(plain)?.[0].replaceAll('\n', ' ') ?? plain;
}

function toDetail({ id, title, kind, text, authority, see }: HelpEntry) {
  const related = see.flatMap((other) => {
    const entry = findHelpEntry(other);
    return entry === undefined ? [] : [{ id: entry.id, title: entry.title }];
  });
  return { id, title, kind, text, authority: [...authority], related };
}
