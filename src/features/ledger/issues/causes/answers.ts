import type { IssueKind } from '../../../../engine/model.ts';
import { typeInName } from '../../../../engine/rules/questions/account-names.ts';
import { issueName } from '../../../../forms/ids.ts';
import { elsewhereActions, type WorklistRow } from '../issues.queries.ts';
import { batchMax } from '../issues.schemas.ts';
import type { Proposal } from '../resolution.ts';
import type { IssueAnswer } from './causes.schemas.ts';
import type { Cause } from './group.ts';

/** An answer as one request of the API: the operation, the id in its path, its body, and what the user adds to it. */
export type Answer = Readonly<typeof IssueAnswer.static>;
type AnswerField = Answer['fields'][number];

/** The answers to an issue. The likeliest comes first, and the one that changes nothing comes last. */
export function buildAnswers(issue: WorklistRow, proposals: readonly Proposal[], leg?: string): Answer[] {
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
const acceptedFirst: ReadonlySet<IssueKind> = new Set<IssueKind>(['option_expired', 'wash_window_open']);

/** The answers to all issues of a cause at once. */
export function buildCauseAnswers({ kind, reason: way, items, account }: Cause): Answer[] {
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
