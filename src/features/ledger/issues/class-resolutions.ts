import { yearOf } from '../../../base/day.ts';
import { type Cents, formatCents } from '../../../base/decimal.ts';
import { invalidMember } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import { assetOfKey, toAssetKey } from '../../../engine/events/keys.ts';
import type { AssetClass, AssetRules, Fact } from '../../../engine/model.ts';
import { emptyBook, replay } from '../../../engine/replay.ts';
import { buildLines } from '../../../engine/rules/year/year.ts';
import { selectTaxpayer } from '../books/books.queries.ts';
import { readHistory } from '../books/state/history.ts';
import { patchSettings } from '../settings/patch.ts';
import { changeSettings } from '../settings/settings.ts';
import { type StoredSettings, toElections } from '../transactions/elections.ts';
import { readRestatements } from '../transactions/resolutions.ts';
import { type StoredResolution, selectSameRow, selectTooMany } from './issues.queries.ts';
import {
  effectOn,
  type Proposal,
  type ResolutionContext,
  type ResolutionEffect,
  requireIssueRow,
} from './resolution.ts';

/**
 * Proposes answers to `class_unknown`, each with its effect on the lines of the year. The chosen answer is stored in
 * the settings. Reopening the issue removes it.
 */
export async function proposeClasses(
  sql: Sql,
  taxpayerId: string,
  issue: { readonly id: string; readonly on: string; readonly asset: string; readonly account: string },
): Promise<Proposal[]> {
  const { asset } = issue;
  if (isAboutRate(issue.id))
    return [true, false].map((collectible) => ({
      action: 'class',
      collectible,
      detail: collectible
        ? `Yes, ${asset} is a collectible: its long-term lines have code C and are taxed at 28%.`
        : `No, ${asset} is not a collectible: its long-term lines have no code C.`,
    }));
  const { settings, time_zone } = await selectTaxpayer(sql, taxpayerId);
  const { rules } = toElections(settings, time_zone);
  const accounts = listUnclassifiedAccounts(settings, issue);
  const keys = classesAsked.map((assetClass) => toAssetKey(asset, assetClass));
  const isLarge = await selectTooMany(sql, taxpayerId, keys, rowsMax);
  const restatements = await readRestatements(sql, taxpayerId);
  const history = isLarge
    ? []
    : (await readHistory(sql, taxpayerId, { keys, after: null }, restatements)).transactions();
  return classesAsked.map((assetClass) => {
    const rows = history.map((row) => {
      const isAsked = row.asset === asset && accounts.includes(row.account) && classesAsked.includes(row.assetClass);
      return isAsked ? { ...row, assetClass } : row;
    });
    const { facts } = replay(emptyBook(), rows, { ...rules, tickers: {} }, new Set(keys));
    const what = assetClass === 'crypto' ? 'a coin' : 'a security';
    const then = isLarge ? '' : `: ${describeSalesResult(facts, asset, Number(issue.on.slice(0, 4)))}`;
    return { action: 'class', assetClass, detail: `${asset} is ${what}${then}.` };
  });
}

const classesAsked: readonly AssetClass[] = ['stock', 'crypto'];

/** Longer histories get answers without amounts, because lists of issues are read often. */
const rowsMax = 2_000;

function describeSalesResult(facts: readonly Fact[], asset: string, year: number): string {
  const sales = facts.filter((fact) => fact.kind === 'disposal');
  const washes = facts.filter((fact) => fact.kind === 'wash');
  const lines = buildLines(sales, washes).filter(({ disposal: one }) => one.asset === asset && yearOf(one.on) === year);
  const gain = lines.reduce((sum, line) => sum + line.gain, 0n) as Cents;
  const denied = lines.reduce((sum, line) => sum + (line.code.includes('W') ? line.adjustment : 0n), 0n) as Cents;
  const boxes = [...new Set(lines.map(({ disposal }) => disposal.box))].sort();
  const wash = denied > 0n ? `, with $${formatCents(denied)} of losses disallowed as wash sales` : '';
  const where = boxes.length === 0 ? 'no line' : `box ${boxes.join(' and ')}`;
  return `${where} and a gain of $${formatCents(gain)} in ${year}${wash}`;
}

/** Stores the class in the settings of every account that has no class for the asset, and recomputes the books. */
export async function stateClass(context: ResolutionContext): Promise<ResolutionEffect> {
  const { sql, taxpayer, issue, answer } = context;
  if (issue.issue !== 'class_unknown')
    throw invalidMember('/action', 'The class is not in question here. Choose a different action.');
  const tx = requireIssueRow(context);
  const { settings } = await selectTaxpayer(sql, taxpayer.id);
  const { asset } = issue;
  const word = toAssetRules(context, settings);
  await changeSettings(sql, taxpayer.id, patchSettings(settings, { assets: { [asset]: word } }));
  // The row's id may change with its class.
  const id = (await selectSameRow(sql, taxpayer.id, tx)) ?? tx.id;
  const { assetClass, collectible } = answer;
  const values = {
    ...(assetClass === undefined ? {} : { assetClass }),
    ...(collectible === undefined ? {} : { collectible }),
    accounts: Object.keys(word.accounts ?? {}),
  };
  return { ...effectOn({ ...tx, id }, values), touched: new Map(), issue: { ...issue, transactions: [id] } };
}

function toAssetRules({ issue, answer }: ResolutionContext, settings: StoredSettings): AssetRules {
  const { assetClass, collectible } = answer;
  if (isAboutRate(issue.id)) {
    if (assetClass !== undefined) throw invalidMember('/assetClass', 'Set collectible to true or false.');
    if (collectible === undefined) throw invalidMember('/collectible', 'Set collectible to true or false.');
    return { collectible };
  }
  if (collectible !== undefined) throw invalidMember('/collectible', 'Set assetClass.');
  if (assetClass === undefined) throw invalidMember('/assetClass', 'Set assetClass.');
  return {
    accounts: Object.fromEntries(listUnclassifiedAccounts(settings, issue).map((account) => [account, assetClass])),
  };
}

/** Removes these answers from the settings unless the user has changed them since, and recomputes the books. */
export async function removeStatedClasses(
  sql: Sql,
  taxpayerId: string,
  answers: readonly StoredResolution[],
): Promise<void> {
  const words = answers.filter(({ action }) => action === 'class');
  if (words.length === 0) return;
  const { settings } = await selectTaxpayer(sql, taxpayerId);
  await changeSettings(sql, taxpayerId, withoutWords(settings, words));
}

function withoutWords(settings: StoredSettings, answers: readonly StoredResolution[]): StoredSettings {
  return answers.reduce((before, { asset, given }) => {
    const stated = before.assets?.[asset];
    if (stated === undefined) return before;
    const accounts = (given.accounts ?? []).filter((account) => stated.accounts?.[account] === given.assetClass);
    const rate = given.collectible !== undefined && stated.collectible === given.collectible;
    const word = {
      accounts: Object.fromEntries(accounts.map((account) => [account, null])),
      ...(rate ? { collectible: null } : {}),
    };
    return patchSettings(before, { assets: { [asset]: word } });
  }, settings);
}

function listUnclassifiedAccounts(
  { tickers = {} }: StoredSettings,
  { asset, account }: { asset: string; account: string },
): string[] {
  const accounts = Object.keys(tickers).filter((name) => tickers[name]?.[asset] === 'unknown');
  return accounts.length === 0 ? [account] : accounts;
}

/** Returns whether the issue is about collectibles instead of the asset's class (`rules/lines/class-questions.ts`). */
function isAboutRate(issueId: string): boolean {
  return issueId.split('/').at(-2) === 'collectible';
}

/**
 * Proposes answers to an issue about a guessed name on Forms 1099. The chosen answer is stored as `formNameOf` in the
 * settings of that name.
 */
export async function proposeNames(
  sql: Sql,
  taxpayerId: string,
  { asset, account }: { readonly asset: string; readonly account: string },
): Promise<Proposal[]> {
  const { settings } = await selectTaxpayer(sql, taxpayerId);
  const names = Object.entries(settings.formNames?.[account] ?? {});
  const name = names.find(([key]) => assetOfKey(key) === asset)?.[1].asset;
  if (name === undefined) return [];
  return [
    {
      action: 'form_name',
      asset,
      formNameOf: name,
      detail: `Same security: ${asset} on the form is ${name} in your transactions. Each sale counts once.`,
    },
    {
      action: 'form_name',
      asset,
      formNameOf: asset,
      detail: `Two securities: the sales of ${asset} on the form and those of ${name} in your transactions all count.`,
    },
  ];
}

/** Returns whether the issue is about a name instead of a sale (`forms/reconciliation/form-issues.ts`). */
export function isAboutName(issueId: string): boolean {
  return issueId.endsWith('/name');
}
