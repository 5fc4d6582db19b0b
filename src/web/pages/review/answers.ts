import { api, booksChanged, type ItemOf, unwrapResponse, write } from '../../api/api.ts';
import { clientId } from '../../api/page-url.ts';
import { previewPrice, savePrice } from '../../api/prices.ts';
import { changeAccount } from '../../api/session.ts';
import { previewSettings, type SettingsPatch, saveSettings } from '../../api/settings.ts';
import { parseDiscounts } from '../../format/discounts.ts';
import type { PreviewedYear } from '../../parts/years-preview.tsx';
import { finishEdit } from '../transactions/transaction-form.tsx';
import type { ReviewIssue } from './causes.tsx';

/** An answer that the API offers: one of its operations, and the fields that the user adds. */
export type ReviewAnswer = ReviewIssue['answers'][number];
export type AnswerValues = Readonly<Partial<Record<ReviewAnswer['fields'][number]['name'], string>>>;

/** Returns whether the answer has an effect that can be previewed now. */
export function canTry({ fields }: ReviewAnswer, values: AnswerValues): boolean {
  return fields.every(({ name, isRequired }) => !isRequired || name === 'note' || (values[name] ?? '') !== '');
}

/** Previews the effect on each year. Nothing is saved. */
export async function tryAnswer(answer: ReviewAnswer, values: AnswerValues): Promise<readonly PreviewedYear[]> {
  const { operation, target } = answer;
  const id = target ?? '';
  const body = bodyOf(answer, values);
  const dry = { query: { dryRun: true } };
  const shown = async (tried: Promise<{ readonly preview?: { readonly years: readonly PreviewedYear[] } }>) =>
    (await tried).preview?.years ?? [];
  switch (operation) {
    case 'updateSettings':
      return previewSettings(body as SettingsPatch);
    case 'updateAccount':
      return shown(previewZone(values.timeZone ?? ''));
    case 'rereadImport':
      return (await reread(id, values, false)).years;
    case 'createPrices':
      return previewPrice({ asset: '', date: '', usd: '', ...body });
    case 'updateTransaction':
      return shown(unwrapResponse(api.transactions({ id }).patch(body, dry)));
    case 'resolveIssues':
      return shown(unwrapResponse(api.tax.issues.resolve.post(body as BatchBody, dry)));
    default:
      return shown(unwrapResponse(api.tax.issues({ id }).resolve.post(body as IssueBody, dry)));
  }
}

/** Saves the answer. Returns a function that undoes it, or null if it cannot be undone. */
export async function saveAnswer(answer: ReviewAnswer, values: AnswerValues): Promise<(() => Promise<void>) | null> {
  const id = answer.target ?? '';
  const body = bodyOf(answer, values);
  switch (answer.operation) {
    case 'updateSettings':
      return saveSettings(body as SettingsPatch);
    case 'updateAccount':
      return saveZone(values.timeZone ?? '');
    case 'rereadImport':
      await reread(id, values, true);
      booksChanged();
      return null;
    case 'createPrices':
      return savePrice({ asset: '', date: '', usd: '', ...body });
    case 'updateTransaction': {
      const undo = await finishEdit(api.transactions({ id }).patch(body));
      booksChanged();
      return undo;
    }
    case 'resolveIssues': {
      const { ids } = await write(api.tax.issues.resolve.post(body as BatchBody));
      return async () => void (await write(api.tax.issues.reopen.post({ ids })));
    }
    default:
      await write(api.tax.issues({ id }).resolve.post(body as IssueBody));
      return () => reopenIssue(id);
  }
}

type IssueBody = Parameters<ReturnType<typeof api.tax.issues>['resolve']['post']>[0];
type BatchBody = Parameters<typeof api.tax.issues.resolve.post>[0];

function bodyOf({ body, fields }: ReviewAnswer, values: AnswerValues): Record<string, unknown> {
  const added = fields.flatMap(({ name }) => {
    const value = values[name] ?? '';
    return value === '' ? [] : [[name, name === 'discounts' ? parseDiscounts(value) : value]];
  });
  return { ...body, ...Object.fromEntries(added) };
}

function reread(id: string, { timeZone = '' }: AnswerValues, apply: boolean) {
  return unwrapResponse(api.imports({ id }).reread.post({ apply, timeZone }));
}

function previewZone(timeZone: string) {
  const client = clientId.value;
  const dry = { query: { dryRun: true } };
  return client === null
    ? unwrapResponse(api.account.patch({ timeZone }, dry))
    : unwrapResponse(api.clients({ id: client }).patch({ timeZone }, dry));
}

/** Saves the time zone of the user, or of the client whose books are open. */
async function saveZone(timeZone: string): Promise<() => Promise<void>> {
  const id = clientId.value;
  if (id === null) return changeAccount({ timeZone });
  await write(api.clients({ id }).patch({ timeZone }));
  return async () => void (await write(api.clients({ id }).patch({ timeZone: null })));
}

/** An item that was resolved or kept. */
export type AnsweredIssue = ItemOf<typeof api.tax.issues.get>;

export interface AnsweredFilter {
  readonly year?: number;
  readonly status: 'accepted' | 'resolved';
}

/** Reopens an item. Returns a function that keeps it again, or null if its answer must be entered again. */
export async function reopen({ id, resolution }: AnsweredIssue): Promise<(() => Promise<void>) | null> {
  await reopenIssue(id);
  if (resolution?.action !== 'accept') return null;
  return async () => {
    await write(api.tax.issues({ id }).resolve.post({ action: 'accept', note: resolution.note }));
  };
}

async function reopenIssue(id: string): Promise<void> {
  await write(api.tax.issues({ id }).resolution.delete());
}
