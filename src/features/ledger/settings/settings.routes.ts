import { Elysia, status, t } from 'elysia';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { cacheHeaders, computeEtag, isNotModified, requireMatch } from '../../../http/etag.ts';
import { group, read, write } from '../../../http/operations.ts';
import { closed, problems } from '../../../http/schemas.ts';
import type { Access } from '../../people/auth/access.ts';
import { selectTaxpayer } from '../books/books.queries.ts';
import { dryRun, YearsPreview } from '../books/books.schemas.ts';
import { createTryChange } from '../books/summaries.ts';
import type { StoredSettings } from '../transactions/elections.ts';
import { inTurn } from '../transactions/store.ts';
import { Settings, SettingsUpdate } from './document.ts';
import { patchSettings } from './patch.ts';
import { changeSettings, settingsView } from './settings.ts';

const { onBooks } = group('Settings');

const ChangedSettings = closed(
  { ...Settings.properties, preview: t.Optional(YearsPreview) },
  { title: 'SettingsUpdateResult' },
);

/** Reads and updates elections and account settings. An update recomputes the books before it responds. */
export const settingsRoutes = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .get(
      '/settings',
      async ({ books, request, set, taxpayer }) => {
        const { settings } = await books.read((sql) => selectTaxpayer(sql, taxpayer.id));
        const etag = await computeTag(settings);
        Object.assign(set.headers, cacheHeaders(etag));
        if (isNotModified(request, etag)) return status(304, undefined);
        return settingsView(settings);
      },
      onBooks('getSettings', read, {
        summary: 'Get elections and account settings',
        response: { 200: Settings, 304: t.Void({ description: 'Not changed.' }) },
      }),
    )
    .patch(
      '/settings',
      async ({ caller, request, set, taxpayer, body, query }) => {
        const change = async (sql: Sql) => {
          const before = (await selectTaxpayer(sql, taxpayer.id)).settings;
          requireMatch(request, await computeTag(before));
          const after = patchSettings(before, body);
          if (JSON.stringify(after) !== JSON.stringify(before)) await changeSettings(sql, taxpayer.id, after);
          return after;
        };
        if (query.dryRun === true) {
          deps.rateLimits.take('work', caller.userId);
          return createTryChange(deps)(taxpayer.id, async (sql) => settingsView(await change(sql)));
        }
        const settings = await inTurn(deps, taxpayer.id, change);
        Object.assign(set.headers, cacheHeaders(await computeTag(settings)));
        return settingsView(settings);
      },
      onBooks('updateSettings', write('settings_changed'), {
        summary: 'Update elections (JSON merge patch)',
        description:
          'Omitted fields keep their values, and null removes a choice. Accounts that do not occur in any transaction yet are allowed. The books are recomputed before the response.',
        query: { dryRun },
        body: SettingsUpdate,
        response: { 200: ChangedSettings, ...problems('conflict', 'year_locked', 'precondition_failed') },
      }),
    );

function computeTag(settings: StoredSettings): Promise<string> {
  return computeEtag('settings', JSON.stringify(settingsView(settings)));
}
