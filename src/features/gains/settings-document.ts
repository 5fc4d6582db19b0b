import { getSchemaValidator, type TSchema, t } from 'elysia';
import { yearMax } from '../../base/day.ts';
import { isObject } from '../../base/json.ts';
import { Refusal, type RefusalError } from '../../base/refusal.ts';
import { assetClasses, lotMethods } from '../../engine/model.ts';
import { filingStatuses } from '../../forms/report.ts';
import { closed, nullable, oneOf, year } from '../../http/schemas.ts';
import { errorsOf } from '../../http/validation.ts';
import { electionsOf, type StoredSettings } from '../transactions/elections.ts';

const method = oneOf(lotMethods);
const yearName = t.String({ pattern: `^(?:19\\d\\d|20\\d\\d|${yearMax})$` });
const amount = t.String({ pattern: '^-?\\d{1,15}(\\.\\d{1,8})?$', description: 'US dollars as a decimal string.' });
const loss = t.String({ pattern: '^\\d{1,15}(\\.\\d{1,2})?$', description: 'US dollars, a positive amount.' });
const accountName = t.String({ pattern: '^[\\s\\S]{1,200}$' });

/** No other names than the pattern allows. */
function recordOf<Value extends TSchema>(name: typeof yearName, value: Value) {
  return t.Record(name, value, { additionalProperties: false });
}

const account = {
  type: oneOf(['taxable', 'ira', 'roth_ira', 'spouse']),
  assetClass: oneOf(assetClasses),
  form: oneOf(['1099-B', '1099-DA', 'none']),
  basisReported: t.Boolean(),
};
const { type, ...ofAccount } = account;
const members = {
  method,
  methodFrom: t.Array(closed({ year, method }), { maxItems: 201 }),
  digitalAssetScopeBefore2025: oneOf(['universal', 'per_wallet']),
  washSales: oneOf(['securities_only', 'securities_and_tokenized', 'all_assets']),
  washPeriod: oneOf(['tacking', 'replacement']),
  wholeDollars: t.Boolean(),
  filingStatus: oneOf(filingStatuses),
};
const byAccount = {
  methodByAccount: recordOf(accountName, method),
  accounts: recordOf(accountName, closed({ type, ...t.Partial(t.Object(ofAccount)).properties })),
};
const byYear = {
  taxableIncome: recordOf(yearName, amount),
  carryover: recordOf(yearName, closed({ short: loss, long: loss })),
};

/** What a GET answers: every election, chosen or by default. */
export const Settings = closed(
  { ...members, ...byAccount, ...t.Partial(t.Object(byYear)).properties },
  { title: 'Settings' },
);

/** A JSON merge patch (RFC 7396): null takes a choice back. It is what comes out of it that is checked. */
export const SettingsPatch = closed(
  {
    ...patchable(members),
    methodByAccount: t.Optional(nullable(recordOf(accountName, nullable(method)))),
    accounts: t.Optional(nullable(recordOf(accountName, nullable(closed(patchable(account)))))),
    taxableIncome: t.Optional(nullable(recordOf(yearName, nullable(amount)))),
    carryover: t.Optional(nullable(recordOf(yearName, nullable(closed(patchable({ short: loss, long: loss })))))),
  },
  {
    title: 'SettingsPatch',
    description: 'JSON merge patch of Settings: members left out stay, null takes a choice back.',
  },
);

function patchable(properties: Readonly<Record<string, TSchema>>) {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, t.Optional(nullable(schema))]));
}

const Stored = closed(t.Partial(t.Object({ ...members, ...byAccount, ...byYear })).properties);
const validator = getSchemaValidator(Stored, { normalize: false, dynamic: true });
const accountsMax = 2_000;

/** The settings with the patch in them, or a refusal that says what of the result is not valid. */
export function patchSettings(before: StoredSettings, patch: Readonly<Record<string, unknown>>): StoredSettings {
  const after = merged(before, patch);
  if (!validator.Check(after)) {
    throw invalid(errorsOf(validator.Errors(after)));
  }
  const settings = after as StoredSettings;
  if (Object.keys(settings.accounts ?? {}).length > accountsMax) {
    throw invalid([{ pointer: '/accounts', code: 'invalid', detail: `At most ${accountsMax} accounts` }]);
  }
  const years = (settings.methodFrom ?? []).map((from) => from.year);
  if (new Set(years).size < years.length) {
    throw invalid([{ pointer: '/methodFrom', code: 'invalid', detail: 'A year stands there twice' }]);
  }
  return settings;
}

function invalid(errors: RefusalError[]): Refusal {
  const first = errors[0];
  return new Refusal('invalid', `The settings would not be valid: ${first?.pointer} ${first?.detail}.`, { errors });
}

/** RFC 7396. Objects that run empty go, so that taking all choices back leaves no trace. */
function merged(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) {
      delete result[name];
      continue;
    }
    const member = merged(result[name], value);
    if (isObject(member) && Object.keys(member).length === 0) delete result[name];
    else result[name] = member;
  }
  return result;
}

export function settingsView(stored: StoredSettings) {
  const { rules, wholeDollars, filingStatus } = electionsOf(stored);
  return {
    method: rules.method,
    methodByAccount: { ...rules.methodByAccount },
    methodFrom: rules.methodFrom.map((from) => ({ ...from })),
    digitalAssetScopeBefore2025: rules.digitalAssetScopeBefore2025,
    washSales: rules.washSales,
    washPeriod: rules.washPeriod ?? 'tacking',
    accounts: { ...rules.accounts },
    wholeDollars,
    filingStatus,
    ...(stored.taxableIncome === undefined ? {} : { taxableIncome: { ...stored.taxableIncome } }),
    ...(stored.carryover === undefined
      ? {}
      : { carryover: Object.fromEntries(Object.entries(stored.carryover).map(([at, lost]) => [at, { ...lost }])) }),
  };
}
