import { Elysia, t } from 'elysia';
import { formatCents } from '../../../../base/decimal.ts';
import type { Sql } from '../../../../db/connection.ts';
import type { Deps } from '../../../../deps.ts';
import type { IssueKind } from '../../../../engine/model.ts';
import { typeInName } from '../../../../engine/rules/questions/account-names.ts';
import { issueName } from '../../../../forms/lines.ts';
import { isUuid, requireFound } from '../../../../http/errors.ts';
import { invalidCursor, limitDefault, mapPage, page, readCursor } from '../../../../http/list.ts';
import { group, read } from '../../../../http/operations.ts';
import { listQuery, yearParameter } from '../../../../http/schemas.ts';
import type { Access, Taxpayer } from '../../../people/auth/access.ts';
import { loadAssetNames } from '../../transactions/asset-names/asset-names.ts';
import { selectTransactions } from '../../transactions/list.queries.ts';
import { getToday } from '../../transactions/view.ts';
import { elsewhereActions, selectOpenIssues, type WorklistRow } from '../issues.queries.ts';
import { batchMax } from '../issues.schemas.ts';
import { proposalsFor } from '../proposals.ts';
import { factIdOfIssueId, type Proposal } from '../resolution.ts';
import { issueView } from '../view.ts';
import { readCauseRows } from './causes.queries.ts';
import { type IssueAnswer, IssueCauseDetails, IssueCauseList } from './causes.schemas.ts';
import { type Cause, compareCauses, groupByCause, resolvedCause } from './group.ts';

const { onBooks } = group('Issues');

/** Lists open issues by cause. One answer often resolves all issues of a cause. */
export const causeRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/causes' })
    .use(access)
    .get(
      '',
      async ({ books, taxpayer, query: asked }) => {
        const limit = asked.limit ?? limitDefault;
        const after = readAfter(asked.cursor);
        return books.snapshot(async (sql) => {
          const causes = groupByCause(await readCauseRows(sql, taxpayer.id, asked.year ?? null));
          const rest = after === null ? causes : causes.filter((cause) => compareCauses(cause, after) > 0);
          const found = page(rest.slice(0, limit + 1), limit, (one) => [String(one.dollars), one.unknown, one.key]);
          const nameOf = await loadCauseNames(sql, taxpayer.id, found.data);
          return { ...mapPage(found, (cause) => causeView(cause, nameOf)), total: totalView(causes) };
        });
      },
      onBooks('listIssueCauses', read, {
        summary: 'List the causes of open issues',
        description:
          'Groups open issues by what one answer may resolve: the time zone, the type of an account, the missing purchases of an asset in an account, the missing prices, the unmatched transfers of an account, the unreadable rows of a file. Issues of one transaction are one item. The largest amount at stake comes first.',
        query: { ...listQuery, year: t.Optional(yearParameter) },
        response: { 200: IssueCauseList },
      }),
    )
    .get(
      '/:id',
      async ({ books, taxpayer, params, query: asked }) => {
        const key = factIdOfIssueId(params.id);
        const limit = asked.limit ?? limitDefault;
        return books.snapshot(async (sql) => {
          const causes = groupByCause(await readCauseRows(sql, taxpayer.id, asked.year ?? null));
          const cause = requireFound(causes.find((each) => each.key === key) ?? resolvedCause(key));
          return {
            ...causeView(cause, await loadCauseNames(sql, taxpayer.id, [cause])),
            answers: buildCauseAnswers(cause),
            items: await readItems(deps, sql, taxpayer, { ...cause, items: cause.items.slice(0, limit) }),
          };
        });
      },
      onBooks('getIssueCause', read, {
        summary: 'Get a cause with its items and answers',
        description:
          'Each answer is one request: `operation` is an operation of this API, `target` the id in its path, `body` its body, and `fields` the members that you add. The likeliest answer comes first. `answers` of the cause apply to all of its items, up to 500. A cause whose issues are resolved has no items.',
        query: { limit: listQuery.limit, year: t.Optional(yearParameter) },
        response: { 200: IssueCauseDetails },
      }),
    );

type CauseNamer = (cause: Cause) => string | undefined;

/** Loads the names of the assets of causes. The class of an asset is the one in the first transaction of its cause. */
async function loadCauseNames(sql: Sql, taxpayerId: string, causes: readonly Cause[]): Promise<CauseNamer> {
  const transactionOf = ({ items }: Cause) => items[0]?.issues[0]?.transaction ?? '';
  const rows = await selectTransactions(sql, taxpayerId, causes.map(transactionOf).filter(isUuid));
  const classes = new Map(rows.map(({ id, asset_class }) => [id, asset_class]));
  const named = causes.filter(({ asset }) => asset !== '');
  const nameOf = await loadAssetNames(
    sql,
    taxpayerId,
    named.map(({ asset }) => asset),
  );
  return (cause) =>
    cause.asset === '' ? undefined : nameOf(cause.asset, classes.get(transactionOf(cause)) ?? 'stock');
}

function readAfter(cursor: string | undefined): Pick<Cause, 'dollars' | 'unknown' | 'key'> | null {
  const after = readCursor(cursor, ['integer', 'number', 'string']);
  if (after === undefined) return null;
  const [dollars, unknown, key] = after;
  if (unknown < 0) throw invalidCursor();
  return { dollars: BigInt(dollars), unknown, key };
}

async function readItems(deps: Deps, sql: Sql, { id, timeZone }: Taxpayer, { items }: Cause) {
  const ids = items.flatMap(({ issues }) => issues.map((issue) => issue.id));
  const rows = await selectOpenIssues(sql, id, { ids });
  const proposals = await proposalsFor(sql, id, rows, getToday(deps, timeZone));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return items.map(({ issues, dollars }) => ({
    dollars: dollars === null ? null : formatCents(dollars as Parameters<typeof formatCents>[0]),
    rejectId: issues[0]?.line?.rejectId ?? null,
    issues: issues.flatMap(({ id: issueId, leg }) => {
      const row = byId.get(issueId);
      if (row === undefined) return [];
      const own = proposals.get(issueId) ?? [];
      return [{ ...issueView(row, own), answers: buildAnswers(row, own, leg?.type) }];
    }),
  }));
}

function totalView(causes: readonly Cause[]) {
  return {
    count: causes.reduce((sum, { items }) => sum + items.length, 0),
    dollars: formatCents(causes.reduce((sum, { dollars }) => sum + dollars, 0n) as Parameters<typeof formatCents>[0]),
    unknown: causes.reduce((sum, { unknown }) => sum + unknown, 0),
  };
}

function causeView(cause: Cause, nameOf: CauseNamer) {
  const { key, kind, asset, account, fileName, reason, items, dollars, unknown } = cause;
  const assetName = nameOf(cause);
  return {
    ...(assetName === undefined ? {} : { assetName }),
    id: issueName(key),
    ...{ kind, asset, account, fileName, reason, unknown },
    count: items.length,
    issues: items.reduce((sum, item) => sum + item.issues.length, 0),
    dollars: formatCents(dollars as Parameters<typeof formatCents>[0]),
    date: items[0]?.issues[0]?.on ?? null,
  };
}

/** An answer as one request of the API: the operation, the id in its path, its body, and what the user adds to it. */
type Answer = Readonly<typeof IssueAnswer.static>;
type AnswerField = Answer['fields'][number];

/** The answers to an issue. The likeliest comes first, and the one that changes nothing comes last. */
function buildAnswers(issue: WorklistRow, proposals: readonly Proposal[], leg?: string): Answer[] {
  const accepted = proposals.filter(({ action }) => action === 'accept');
  const stated = proposals.filter(({ action }) => action !== 'accept').map((proposal) => toAnswer(issue, proposal));
  const answers = [
    ...stated,
    ...ownAnswers(issue, leg),
    ...accepted.map(({ detail }) => acceptAnswer(issue, detail, leg)),
  ];
  return acceptedFirst.has(issue.issue) ? answers.toReversed() : answers;
}

/** Kinds whose likeliest answer is to accept them. */
const acceptedFirst: ReadonlySet<IssueKind> = new Set<IssueKind>([
  'option_expired',
  'wash_window_open',
  'wages_unconfirmed',
]);

/** The answers to all issues of a cause at once. */
function buildCauseAnswers({ kind, reason: way, items, account }: Cause): Answer[] {
  if (items.length < 2) return [];
  const ids = items
    .flatMap(({ issues }) => issues.filter((issue) => issue.kind === kind).slice(0, 1))
    .slice(0, batchMax)
    .map(({ id }) => issueName(id));
  const batch = (label: string, body: object, detail = '', ...fields: AnswerField[]): Answer => ({
    ...{ label, detail, operation: 'resolveIssues', target: null, body: { ids, ...body }, fields },
  });
  const all = `all ${ids.length.toLocaleString('en-US')}`;
  const keep = batch(keepLabels[kind] ?? 'Keep all anyway', { action: 'accept' }, '', reason);
  switch (kind) {
    case 'account_type_unknown':
      return accountTypeAnswers(account);
    case 'transfer_unpaired':
      return way === 'pairs'
        ? [batch(`Match ${all}`, { action: 'pair' }, 'Each withdrawal has only one possible deposit.')]
        : [importAnswer, batch('All in my own wallets', { action: 'accept', note: ownWallet })];
    case 'row_differs':
      return [
        batch('The newer file is right', { action: 'replace' }, 'Its rows replace the existing transactions.'),
        batch('Both are right', { action: 'add' }, 'The rows are added as separate transactions.'),
        batch('The existing ones are right', { action: 'accept' }, '', reason),
      ];
    case 'class_unknown':
      return [
        batch('Securities', { action: 'class', assetClass: 'stock' }),
        batch('Crypto', { action: 'class', assetClass: 'crypto' }),
      ];
    case 'oversold':
    case 'basis_missing':
    case 'short_exceeded':
    case 'option_not_open':
      return [importAnswer, keep];
    case 'value_missing':
      return [priceListAnswer, keep];
    case 'option_expired':
      return [batch('All expired worthless', { action: 'accept' })];
    case 'tax_year_by_zone':
      return [];
    default:
      return [keep];
  }
}

const reason: AnswerField = { name: 'note', label: 'Reason', isRequired: true };
const ownWallet = 'In my own wallet.';

const importAnswer: Answer = {
  label: 'Import older history',
  detail: 'Upload the files of earlier years. The missing transactions are found in them.',
  ...{ operation: 'importTransactions', target: null, body: {}, fields: [] },
};

const priceListAnswer: Answer = {
  label: 'See the prices needed',
  detail: 'One price of an asset and day can answer several items. You can also upload a file of prices.',
  ...{ operation: 'createPrices', target: null, body: {}, fields: [] },
};

const keepLabels: Partial<Readonly<Record<IssueKind, string>>> = {
  rejected_line: 'Dismiss all',
  oversold: 'Keep a cost of $0 for all',
  basis_missing: 'Keep a cost of $0 for all',
  value_missing: 'Keep a value of $0 for all',
};

function toAnswer(issue: WorklistRow, proposal: Proposal): Answer {
  const { action, detail } = proposal;
  if (elsewhereActions.some((each) => each === action)) return toAnswerElsewhere(proposal);
  const { quantity, with: other, assetClass, collectible } = proposal;
  const body = {
    action,
    ...(action === 'basis' && quantity !== undefined ? { quantity } : {}),
    ...(action === 'value' && issue.issue === 'option_not_open' && quantity !== undefined ? { quantity } : {}),
    ...(other === undefined ? {} : { with: other }),
    ...(assetClass === undefined ? {} : { assetClass }),
    ...(collectible === undefined ? {} : { collectible }),
  };
  return {
    label: labelOf(issue.issue, proposal),
    detail,
    ...resolves(issue, body),
    fields: fieldsOf(issue.issue, proposal),
  };
}

function resolves({ id }: WorklistRow, body: object): Pick<Answer, 'operation' | 'target' | 'body'> {
  return { operation: 'resolveIssue', target: issueName(id), body: { ...body } };
}

function labelOf(kind: IssueKind, { action, assetClass, collectible }: Proposal): string {
  switch (action) {
    case 'basis':
      return kind === 'option_not_open' ? 'I bought it before' : 'Enter cost basis';
    case 'value':
      return kind === 'option_not_open'
        ? 'I wrote it before'
        : kind === 'discount_unknown'
          ? 'Market discount'
          : 'Enter value';
    case 'add':
      return kind === 'discount_unknown' ? 'Original issue discount' : 'Both are right';
    case 'replace':
      return 'The newer file is right';
    case 'class':
      if (collectible !== undefined) return collectible ? 'A collectible' : 'Not a collectible';
      return assetClass === 'crypto' ? "It's crypto" : "It's a security";
    default:
      return 'Match';
  }
}

function fieldsOf(kind: IssueKind, { action, quantity }: Proposal): AnswerField[] {
  const field = (name: AnswerField['name'], label: string, isRequired = true): AnswerField => ({
    name,
    label,
    isRequired,
  });
  const isGift = kind === 'gift_incomplete';
  const units = quantity === undefined ? '' : ` for all ${quantity}`;
  switch (action) {
    case 'basis':
      return [
        ...(kind === 'unreconciled' ? [field('quantity', 'Units held')] : []),
        field('basis', isGift ? "Donor's cost basis" : `Cost basis${units}, including fees`),
        field('acquired', isGift ? 'Date acquired by the donor' : 'Date acquired', false),
        ...(isGift ? [field('amount', 'Value on the day of the gift', false)] : []),
      ];
    case 'value':
      if (kind === 'option_not_open')
        return [field('amount', `Premium received${units}, less fees`), field('acquired', 'Date written')];
      if (kind === 'discount_unknown') return [field('amount', 'Accrued market discount')];
      return [field('amount', isGift ? 'Value on the day of the gift' : 'Value in dollars')];
    case 'add':
      return kind === 'discount_unknown' ? [field('discounts', 'Original issue discount by year')] : [];
    default:
      return [];
  }
}

function toAnswerElsewhere({ action, asset = '', date, importId, formNameOf, sameAs, detail }: Proposal): Answer {
  const zone: AnswerField = { name: 'timeZone', label: 'Time zone', isRequired: true };
  switch (action) {
    case 'zone':
      return {
        label: 'Choose your time zone',
        detail,
        operation: 'updateAccount',
        target: null,
        body: {},
        fields: [zone],
      };
    case 'zone_of_import':
      return {
        ...{ label: "Choose the file's time zone", detail, operation: 'rereadImport', target: importId ?? null },
        ...{ body: {}, fields: [{ ...zone, label: 'Time zone of the file' }] },
      };
    case 'price':
      return {
        ...{
          label: `Enter the price of ${asset}`,
          detail,
          operation: 'createPrices',
          target: null,
          body: { asset, date },
        },
        fields: [{ name: 'usd', label: `Price of one ${asset}`, isRequired: true }],
      };
    default: {
      const statement = sameAs === undefined ? { formNameOf } : { ...nothingElse, sameAs };
      const isOne = sameAs !== undefined || formNameOf !== asset;
      return {
        ...{ label: isOne ? 'One security' : 'Two securities', detail, operation: 'updateSettings', target: null },
        ...{ body: { assets: { [asset]: statement } }, fields: [] },
      };
    }
  }
}

/** Another name of a security has no settings of its own. */
const nothingElse = {
  ...{ assetClass: null, accounts: null, collectible: null, section1256: null, basisAtSale: null },
  ...{ ruralFund: null, formNameOf: null },
};

function ownAnswers(issue: WorklistRow, leg: string | undefined): Answer[] {
  const [transaction = null] = issue.transactions;
  const becomes = (label: string, detail: string, type: string, fields: AnswerField[] = []): Answer => ({
    ...{ label, detail, operation: 'updateTransaction', target: transaction, body: { type }, fields },
  });
  switch (issue.issue) {
    case 'account_type_unknown':
      return accountTypeAnswers(issue.account);
    case 'oversold':
    case 'basis_missing':
      return [importAnswer];
    case 'rejected_line':
      return [];
    case 'wash_window_open':
      return [
        {
          label: 'I bought some',
          detail: `Add your purchases of ${issue.asset} in those 30 days, in any account.`,
          ...{ operation: 'createTransaction', target: null, fields: [] },
          body: { type: 'buy', asset: issue.asset, account: issue.account },
        },
      ];
    case 'wages_unconfirmed':
      return [
        {
          label: "It's not in my W-2",
          detail: 'Add it on line 1h of your Form 1040: wages that no Form W-2 shows.',
          ...resolves(issue, { action: 'accept', note: 'Not in box 1 of Form W-2. Added on line 1h of Form 1040.' }),
          fields: [],
        },
      ];
    case 'option_expired':
      return [
        {
          label: 'It was sold, exercised or assigned',
          detail: 'Add the transaction that closed it.',
          ...{ operation: 'createTransaction', target: null, body: {}, fields: [] },
        },
      ];
    case 'transfer_unpaired': {
      const amount: AnswerField = { name: 'amount', label: 'Value in dollars', isRequired: true };
      if (leg === 'withdrawal')
        return [
          acceptAnswer(issue, 'It stays yours, with its cost and purchase date.', 'own'),
          becomes('I sold it', 'The withdrawal becomes a sale.', 'sell', [{ ...amount, label: 'Proceeds in dollars' }]),
          becomes('I paid with it', 'A payment counts as a sale for its value.', 'spend', [amount]),
          becomes('I gave it away', 'A gift has no gain or loss for you.', 'gift_out'),
        ];
      if (leg === 'deposit')
        return [
          importAnswer,
          becomes('It was income', 'It counts as income for its value on that day.', 'other_income', [amount]),
          becomes('It was a gift', "The donor's cost basis is asked next.", 'gift_in'),
        ];
      return [];
    }
    default:
      return [];
  }
}

function acceptAnswer(issue: WorklistRow, detail: string, leg?: string): Answer {
  if (leg === 'own')
    return {
      label: "It's in my own wallet",
      detail,
      ...resolves(issue, { action: 'accept', note: ownWallet }),
      fields: [],
    };
  const { label, note } = accepts[issue.issue] ?? { label: 'Keep anyway', note: reason };
  return { label, detail, ...resolves(issue, { action: 'accept' }), fields: note === null ? [] : [note] };
}

/** What accepting means. There is no note if the issue itself proposes to accept it. */
const accepts: Partial<Readonly<Record<IssueKind, { readonly label: string; readonly note: AnswerField | null }>>> = {
  option_expired: { label: 'It expired worthless', note: null },
  same_security: { label: 'Two securities', note: null },
  premium_unknown: { label: 'Taxable bond, no election', note: null },
  wages_unconfirmed: { label: 'In box 1 of my W-2', note: null },
  loss_event: { label: 'Claim no loss', note: null },
  wash_window_open: { label: 'I bought none', note: null },
  gain_differs: { label: 'The calculated gain is right', note: reason },
  row_differs: { label: 'The existing one is right', note: reason },
  rejected_line: { label: 'Dismiss', note: reason },
  oversold: { label: 'Keep a cost of $0', note: reason },
  basis_missing: { label: 'Keep a cost of $0', note: reason },
  value_missing: { label: 'Keep a value of $0', note: reason },
};

/** The type that the name of the account suggests comes first. */
function accountTypeAnswers(account: string): Answer[] {
  const guess = typeInName(account) ?? 'ira';
  const others = (['ira', 'roth_ira', '401k', 'hsa'] as const).filter((type) => type !== guess);
  const types = [guess, ...others.slice(0, 1), 'taxable', ...others.slice(1)] as const;
  return types.map((type) => ({
    label: accountTypeLabels[type],
    detail:
      type === 'taxable' ? `${account} stays taxable.` : `Nothing in ${account} is taxed, and it leaves Form 8949.`,
    ...{ operation: 'updateSettings', target: null, body: { accounts: { [account]: { type } } }, fields: [] },
  }));
}

const accountTypeLabels = {
  ira: "It's an IRA",
  roth_ira: "It's a Roth IRA",
  '401k': "It's a 401(k)",
  hsa: "It's an HSA",
  taxable: "No, it's taxable",
  spouse: "It's my spouse's",
} as const;
