import { invalidMember, Refusal } from '../../base/refusal.ts';

export function damagedWorkbook(what: string): Refusal {
  return new Refusal('not_csv', `This workbook is damaged: ${what}. Save it again, or export it as CSV.`);
}

export function damagedOfx(what: string): Refusal {
  return new Refusal('not_csv', `This OFX file is damaged: ${what}. Download it again, or export it as CSV.`);
}

export function damagedFlex(what: string): Refusal {
  return new Refusal('not_csv', `This Flex query is damaged: ${what}. Download it again, or run the query as CSV.`);
}

export function damagedPdf(what: string): Refusal {
  return new Refusal('not_csv', `This PDF is damaged: ${what}. Download it again, or export the form as CSV.`);
}

/** Returns the refusal of a file that unpacks to more than Lotbook reads. */
export function tooMuch(what: string): Refusal {
  return new Refusal('too_large', `${what} Split the file, or export it as CSV.`);
}

/** Returns the refusal that lists the tables of a file, one of which must be chosen. */
export function severalTables(names: readonly string[]): Refusal {
  const listed = names.slice(0, namesShownMax).map((name) => `"${name}"`);
  const rest = names.length > listed.length ? ` and ${names.length - listed.length} more` : '';
  return new Refusal(
    'ambiguous_file',
    `This file contains ${names.length} tables: ${listed.join(', ')}${rest}. Send it once for each, and name the table with part=.`,
    { members: { parameter: 'part', readings: names.map((name) => ({ value: name, reads: `the table "${name}"` })) } },
  );
}

export function missingPart(part: string, names: readonly string[]): Refusal {
  const listed = names
    .slice(0, namesShownMax)
    .map((name) => `"${name}"`)
    .join(', ');
  const detail = names.length === 0 ? 'It is not a ZIP or a workbook.' : `It contains ${listed}.`;
  return invalidMember('/part', `The file has no part "${part}". ${detail}`);
}

const namesShownMax = 20;
