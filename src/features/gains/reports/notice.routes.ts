import { Elysia, t } from 'elysia';
import { type Day, parseDay } from '../../../base/day.ts';
import { type Cents, type Money, parseMoney, roundToCents } from '../../../base/decimal.ts';
import type { Deps } from '../../../deps.ts';
import { noSale, noticePositions, type TaxNotice } from '../../../forms/notice/comparison.ts';
import type { NoticeView } from '../../../forms/notice/packet.ts';
import { download } from '../../../http/download.ts';
import { parseDayParameter } from '../../../http/errors.ts';
import { group, readReport, recordedRead } from '../../../http/operations.ts';
import {
  binary,
  closed,
  day,
  money,
  notBlank,
  nullable,
  oneOf,
  problems,
  type TextFormat,
  whole,
  year,
} from '../../../http/schemas.ts';
import { blobRefusals } from '../../ledger/blobs/read.ts';
import type { Access } from '../../people/auth/access.ts';
import type { RenderPool } from './render.ts';
import { findBooks } from './stored.ts';

const linesMax = 200;
const dollarFormat: TextFormat = {
  pattern: '^\\d{1,13}(\\.\\d{1,2})?$',
  'x-message': 'Enter US dollars like 1250.50',
};
const dollars = t.String({ ...dollarFormat, description: 'US dollars as a decimal string.' });

const NoticeRequest = closed(
  {
    noticeDate: day,
    responseDue: day,
    address: t.Optional(t.String({ maxLength: 400, description: 'Your address for the letter, line by line.' })),
    lines: t.Array(
      closed({
        payer: t.String({ ...notBlank, maxLength: 200 }),
        description: t.Optional(t.String({ maxLength: 200, description: 'The security, if the notice names it.' })),
        proceeds: dollars,
        basis: t.Optional(nullable(dollars)),
        sale: t.Optional(
          nullable(
            t.String({
              maxLength: 600,
              description: `The id of a candidate, or \`${noSale}\` if it is none of your sales. Without it, the line is matched only if exactly one sale fits.`,
            }),
          ),
        ),
        agrees: t.Optional(
          nullable(t.Boolean({ description: `Whether you agree with a line that is \`${noSale}\` of your sales.` })),
        ),
      }),
      { minItems: 1, maxItems: linesMax },
    ),
  },
  {
    title: 'NoticeRequest',
    examples: [
      {
        noticeDate: '2026-03-02',
        responseDue: '2026-04-01',
        lines: [{ payer: 'Charles Schwab & Co', description: '100 SH AAPL', proceeds: '18500' }],
      },
    ],
  },
);

const NoticeCandidateView = closed(
  {
    id: t.String(),
    kind: oneOf(['sale', 'asset', 'account'], 'One sale, or the total of an asset or of an account.'),
    account: t.String(),
    asset: t.String({ description: 'Empty for the total of an account.' }),
    date: nullable(day),
    ...{ proceeds: money, basis: money, adjustment: money, gain: money },
    lines: whole({ minimum: 0, description: 'The number of lines of Form 8949.' }),
    reason: t.String({ description: 'Why the Form 1099 and the lines differ. Empty if they do not.' }),
  },
  { title: 'NoticeCandidate' },
);

const NoticeComparison = closed(
  {
    year,
    provisional: t.Array(t.String(), { description: 'Why the amounts can still change.' }),
    lines: t.Array(
      closed({
        state: oneOf(['matched', 'open', 'none'], 'Open lines must be answered.'),
        position: oneOf(noticePositions),
        reason: t.String(),
        proposed: { ...money, description: 'Proceeds less the basis that the notice shows.' },
        difference: nullable({ ...money, description: 'Our gain less `proposed`.' }),
        match: nullable(NoticeCandidateView),
        candidates: t.Array(NoticeCandidateView, { description: 'Sales to choose from, the likeliest first.' }),
      }),
    ),
    totals: closed({
      ...{ proposed: money, proposedMatched: money, gain: money, difference: money, open: money },
      openCount: whole({ minimum: 0 }),
    }),
  },
  {
    title: 'NoticeComparison',
    description: 'The lines of a CP2000 notice with their sales and the differences. Nothing is stored.',
  },
);

const { onBooks } = group('Reports');

/** Compares a CP2000 notice with a report, and writes the answer. Stores nothing of the notice. */
export const noticeRoutes = (deps: Deps, access: Access, pool: RenderPool) => {
  const render = async (
    format: 'cp2000' | 'cp2000-preview',
    taxpayerId: string,
    reportId: string,
    body: NoticeInput,
    signal: AbortSignal,
  ) => {
    const notice = parseNotice(body);
    const books = await findBooks(deps, taxpayerId, reportId);
    return pool.render({ format, notice, ...books }, signal);
  };
  return new Elysia({ prefix: '/tax/reports' })
    .use(access)
    .post(
      '/:id/notice',
      async ({ params, body, request, caller, taxpayer }) => {
        deps.rateLimits.take('work', caller.userId);
        const file = await render('cp2000-preview', taxpayer.id, params.id, body, request.signal);
        return (await new Response(file.body).json()) as NoticeView;
      },
      onBooks('previewNotice', readReport, {
        summary: 'Compare a CP2000 notice with a report',
        description:
          'Matches each line of the notice with a sale or a total of the report. A line that more than one sale fits, or none, stays open with the sales that could be meant. Send the chosen sale of each open line with the next request.',
        body: NoticeRequest,
        response: { 200: NoticeComparison, ...problems(...blobRefusals) },
      }),
    )
    .post(
      '/:id/notice/download',
      async ({ params, body, request, server, caller, taxpayer }) => {
        deps.rateLimits.take('work', caller.userId);
        server?.timeout(request, 0);
        const file = await render('cp2000', taxpayer.id, params.id, body, request.signal);
        return download(deps, { ...file, headers: { vary: 'cookie' } });
      },
      onBooks('downloadNoticeAnswer', recordedRead(['reports'], 'report_downloaded'), {
        summary: 'Download the answer to a CP2000 notice',
        description:
          'Returns one PDF: a letter with the position on each line, a statement of the lines of Form 8949 behind them, and the lots with their source rows. A packet with open lines states that it is incomplete.',
        body: NoticeRequest,
        response: problems(...blobRefusals),
        detail: {
          responses: { 200: { description: 'The PDF.', content: { 'application/pdf': { schema: binary } } } },
        },
      }),
    );
};

type NoticeInput = Readonly<typeof NoticeRequest.static>;

function parseNotice({ noticeDate, responseDue, address = '', lines }: NoticeInput): TaxNotice {
  return {
    noticeDate: readDay('noticeDate', noticeDate),
    responseDue: readDay('responseDue', responseDue),
    address,
    lines: lines.map(({ payer, description = '', proceeds, basis = null, sale = null, agrees = null }) => ({
      ...{ payer, description, sale, agrees },
      proceeds: readDollars(proceeds),
      basis: basis === null ? null : readDollars(basis),
    })),
  };
}

function readDay(name: string, text: string): Day {
  parseDayParameter(name, text);
  return parseDay(text) as Day;
}

/** Converts dollars that match the schema. */
function readDollars(text: string): Cents {
  return roundToCents(parseMoney(text) as Money);
}
