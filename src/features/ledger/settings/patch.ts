import { getSchemaValidator } from 'elysia';
import { parseDay } from '../../../base/day.ts';
import { isObject } from '../../../base/json.ts';
import { Refusal, type RefusalError } from '../../../base/refusal.ts';
import { isRetirementType } from '../../../engine/elections.ts';
import { parseOption } from '../../../engine/events/keys.ts';
import { isMoneyName } from '../../../engine/events/same-assets.ts';
import { areOtherSecurities } from '../../../engine/events/security-ids.ts';
import { parseMadeAt } from '../../../engine/rules/lots/standing-orders.ts';
import { toRefusalErrors } from '../../../http/validation.ts';
import type { StoredSettings } from '../transactions/elections.ts';
import { StoredDocument } from './document.ts';

const validator = getSchemaValidator(StoredDocument, { normalize: false, dynamic: true });
const accountsMax = 2_000;
const assetsMax = 5_000;

/** Applies a patch to the settings. Throws an error that lists the invalid settings, if any. */
export function patchSettings(before: StoredSettings, patch: Readonly<Record<string, unknown>>): StoredSettings {
  return checkSettings(applyMergePatch(before, patch));
}

/** Validates settings. Throws an error that lists the invalid settings, if any. */
export function checkSettings(after: unknown): StoredSettings {
  if (!validator.Check(after)) {
    throw invalid(toRefusalErrors(validator.Errors(after)));
  }
  const settings = after as StoredSettings;
  if (Object.keys(settings.accounts ?? {}).length > accountsMax) {
    throw invalid([{ pointer: '/accounts', code: 'invalid', detail: `Use up to ${accountsMax} accounts` }]);
  }
  if (Object.keys(settings.assets ?? {}).length > assetsMax) {
    throw invalid([{ pointer: '/assets', code: 'invalid', detail: `Use up to ${assetsMax} assets` }]);
  }
  checkDates(settings);
  checkWallets(settings);
  checkSameAssets(settings);
  const years = (settings.methodFrom ?? []).map((from) => from.year);
  if (new Set(years).size < years.length) {
    throw invalid([{ pointer: '/methodFrom', code: 'invalid', detail: 'Each year can appear only once' }]);
  }
  return settings;
}

/** Checks dates and times that match the pattern but may not exist. */
function checkDates(settings: StoredSettings): void {
  const { constructiveSalesOfCoinsFrom: coinsFrom = '2026-01-01' } = settings;
  const wrong = [
    ...(parseDay(coinsFrom) === undefined ? ['/constructiveSalesOfCoinsFrom'] : []),
    ...(settings.washSalesFrom ?? []).flatMap(({ date }, at) =>
      parseDay(date) === undefined ? [`/washSalesFrom/${at}/date`] : [],
    ),
    ...Object.entries(settings.accounts ?? {}).flatMap(([name, { toldBroker }]) =>
      toldBroker !== undefined && parseDay(toldBroker) === undefined
        ? [`/accounts/${name.replaceAll('~', '~0').replaceAll('/', '~1')}/toldBroker`]
        : [],
    ),
    ...(settings.standingOrders ?? []).flatMap(({ madeAt, from, toldBroker }, at) => [
      ...(parseMadeAt(madeAt) === undefined ? [`/standingOrders/${at}/madeAt`] : []),
      ...(from !== undefined && parseDay(from) === undefined ? [`/standingOrders/${at}/from`] : []),
      ...(toldBroker !== undefined && parseDay(toldBroker) === undefined ? [`/standingOrders/${at}/toldBroker`] : []),
    ]),
  ];
  if (wrong.length === 0) return;
  throw invalid(wrong.map((pointer) => ({ pointer, code: 'invalid', detail: 'Enter a valid date or time' })));
}

/**
 * Requires that all accounts of a wallet have one owner. An IRA is a separate taxpayer, so it cannot share a wallet.
 */
function checkWallets({ accounts = {} }: StoredSettings): void {
  const owners = new Map<string, string>();
  for (const [name, { type, wallet }] of Object.entries(accounts)) {
    if (wallet === undefined) continue;
    const owner = owners.get(wallet) ?? accounts[wallet]?.type ?? type;
    owners.set(wallet, owner);
    if (owner === type && !isRetirementType(type)) continue;
    const pointer = `/accounts/${name.replaceAll('~', '~0').replaceAll('/', '~1')}/wallet`;
    throw invalid([
      {
        pointer,
        code: 'invalid',
        detail: 'All accounts of a wallet must have the same owner, and none of them can be an IRA',
      },
    ]);
  }
}

/**
 * Checks every `sameAs`. Two names can be one security only if neither is a currency, neither refers to another name,
 * and their security numbers do not conflict.
 */
function checkSameAssets({ assets = {} }: StoredSettings): void {
  const names = Object.entries(assets).flatMap(([name, { sameAs, ...others }]) =>
    sameAs === undefined ? [] : [{ name, sameAs, hasOthers: Object.keys(others).length > 0 }],
  );
  for (const { name, sameAs, hasOthers } of names) {
    const all = [sameAs, ...names.flatMap((one) => (one.sameAs === sameAs && one.name !== name ? [one.name] : []))];
    const twin = all.find((other) => areOtherSecurities(name, other));
    const fault =
      name === sameAs
        ? 'Enter a different name'
        : isMoneyName(name) || isMoneyName(sameAs)
          ? 'A currency cannot have another name'
          : assets[sameAs]?.sameAs !== undefined
            ? `${sameAs} is already another name of ${assets[sameAs]?.sameAs}. Use that name`
            : hasOthers
              ? `${name} is another name of ${sameAs}. Enter its other settings under ${sameAs}`
              : (parseOption(name) === undefined) !== (parseOption(sameAs) === undefined)
                ? 'One of the two names is an option and the other is not'
                : twin === undefined
                  ? undefined
                  : `${name} and ${twin} are numbers of two different securities. If one replaced the other, add a rename transaction`;
    if (fault === undefined) continue;
    const pointer = `/assets/${name.replaceAll('~', '~0').replaceAll('/', '~1')}/sameAs`;
    throw invalid([{ pointer, code: 'invalid', detail: fault }]);
  }
}

function invalid(errors: RefusalError[]): Refusal {
  const first = errors[0];
  return new Refusal('invalid', `The settings would not be valid: ${first?.pointer} ${first?.detail}.`, { errors });
}

/** Applies a merge patch (RFC 7396). Drops empty objects, so that removing all choices restores the defaults. */
function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) {
      delete result[name];
      continue;
    }
    const member = applyMergePatch(result[name], value);
    if (isObject(member) && Object.keys(member).length === 0) delete result[name];
    else result[name] = member;
  }
  return result;
}
