import { inversePatch } from '../format/inverse-patch.ts';
import { api, unwrapResponse, useResource, write } from './api.ts';

export type BooksSettings = Awaited<ReturnType<typeof readSettings>>;
export type SettingsPatch = NonNullable<Parameters<typeof api.tax.settings.patch>[0]>;

export async function readSettings() {
  const settings = await unwrapResponse(api.tax.settings.get());
  // Without If-None-Match, the response always has a body.
  if (settings === undefined) throw new Error('The settings response was empty.');
  return settings;
}

export const useSettings = () => useResource('settings', readSettings);

/** Previews the effect on each year. Nothing is saved. */
export async function previewSettings(patch: SettingsPatch) {
  const tried = await unwrapResponse(api.tax.settings.patch(patch, { query: { dryRun: true } }));
  return tried.preview?.years ?? [];
}

/** Changes the settings. Returns a function that undoes the change. */
export async function saveSettings(patch: SettingsPatch): Promise<() => Promise<void>> {
  const before = await readSettings();
  await write(api.tax.settings.patch(patch));
  return async () => {
    await write(api.tax.settings.patch(inversePatch(before, patch) as SettingsPatch));
  };
}
