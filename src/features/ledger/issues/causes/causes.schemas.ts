import { t } from 'elysia';
import { issueKinds } from '../../../../engine/model.ts';
import { closed, day, id, listOf, money, nullable, oneOf, whole } from '../../../../http/schemas.ts';
import { assetName } from '../../transactions/transactions.schemas.ts';
import { Issue } from '../issues.schemas.ts';

const count = whole({ description: 'The number of items to decide.' });
const dollars = t.String({ description: 'The amount at stake, if known.' });
const unknown = whole({ description: 'Items whose amount at stake has no upper limit.' });

const IssueCause = closed(
  {
    id,
    kind: oneOf(issueKinds),
    asset: t.String({ description: 'Empty if the items have different assets.' }),
    assetName,
    account: t.String({ description: 'Empty if the items have different accounts.' }),
    fileName: nullable(t.String({ description: 'The file with the unreadable rows.' })),
    reason: nullable(
      oneOf(
        ['pairs', 'prices'],
        '`pairs`: each item is a withdrawal with its only possible deposit. `prices`: each item needs a price.',
      ),
    ),
    count,
    issues: whole({ description: 'The number of issues. An item may have several.' }),
    dollars,
    unknown,
    date: nullable(day),
  },
  { title: 'IssueCause' },
);

export const IssueCauseList = closed({
  ...listOf(IssueCause).properties,
  total: closed({ count, dollars, unknown }, { description: 'The totals of all causes on all pages.' }),
});

const answerOperations = [
  'resolveIssue',
  'resolveIssues',
  'resolveRejectedRow',
  'updateSettings',
  'updateAccount',
  'rereadImport',
  'createPrices',
  'updateTransaction',
  'createTransaction',
  'importTransactions',
] as const;

export const IssueAnswer = closed(
  {
    label: t.String(),
    detail: t.String(),
    operation: oneOf(answerOperations, 'The operation of this API that gives the answer.'),
    target: nullable(t.String({ description: 'The id in the path of the operation.' })),
    body: t.Record(t.String(), t.Unknown(), { description: 'The body of the request, without the `fields`.' }),
    fields: t.Array(
      closed({
        name: oneOf(['basis', 'acquired', 'quantity', 'amount', 'usd', 'timeZone', 'discounts', 'note']),
        label: t.String(),
        isRequired: t.Boolean(),
      }),
      { description: 'Members that you add to the body.' },
    ),
  },
  { title: 'IssueAnswer' },
);

export const IssueCauseDetails = closed(
  {
    ...IssueCause.properties,
    answers: t.Array(IssueAnswer, { description: 'Answers to all items at once.' }),
    items: t.Array(
      closed({
        dollars: nullable(money),
        rejectId: nullable(t.String({ description: 'The unreadable row, for `/imports/rejects`.' })),
        issues: t.Array(closed({ ...Issue.properties, answers: t.Array(IssueAnswer) })),
      }),
      { description: 'By date, up to `limit`.' },
    ),
  },
  { title: 'IssueCauseDetails' },
);
