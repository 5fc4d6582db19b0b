import { inversePatch } from '../format/inverse-patch.ts';
import { api, got } from './api.ts';
import { booksChanged } from './changes.ts';
import { useResource } from './resource.ts';

export type BooksSettings = Awaited<ReturnType<typeof readSettings>>;
export type SettingsPatchGiven = NonNullable<Parameters<typeof api.tax.settings.patch>[0]>;

export async function readSettings() {
  const settings = await got(api.tax.settings.get());
  // Without If-None-Match there is always an answer.
  if (settings === undefined) throw new Error('The settings came without a body.');
  return settings;
}

export function useSettings() {
  return useResource('settings', readSettings);
}

/** What the years would become; nothing is kept. */
export async function trySettings(patch: SettingsPatchGiven) {
  const tried = await got(api.tax.settings.patch(patch, { query: { dryRun: true } }));
  return tried.preview?.years ?? [];
}

/** Changes the settings; what is returned takes it back. */
export async function saveSettings(patch: SettingsPatchGiven): Promise<() => Promise<void>> {
  const before = await readSettings();
  await got(api.tax.settings.patch(patch));
  booksChanged();
  return async () => {
    await got(api.tax.settings.patch(inversePatch(before, patch) as SettingsPatchGiven));
    booksChanged();
  };
}
