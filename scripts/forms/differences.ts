import { drawBlank8949 } from '../../src/forms/form-8949/blank.ts';
import {
  boxLeft,
  boxSize,
  columnNames,
  columns,
  fieldHeight,
  getFormLayout,
  nameBottom,
  rowPitch,
} from '../../src/forms/form-8949/layout.ts';
import { Canvas } from '../../src/forms/pdf/canvas.ts';
import { checkBoxes, drawScheduleDBack } from '../../src/forms/schedule-d/blank-back.ts';
import { drawScheduleDFront } from '../../src/forms/schedule-d/blank-front.ts';
import {
  amountColumns,
  getFieldBottoms,
  getFundBoxes,
  summaryBottoms,
  summaryColumn,
} from '../../src/forms/schedule-d/layout.ts';
import { type FormPageRead, type Rectangle, readForm } from './official.ts';

export type FormName = 'f8949' | 'f1040sd';

/** The fields that our forms fill in, by the name that a difference shows. */
type OwnFields = ReadonlyMap<string, Rectangle>;

/** Returns how the official form for a year differs from ours: moved, added and removed fields, and changed words. */
export async function findDifferences(form: FormName, year: number, official: Uint8Array): Promise<string[]> {
  const theirs = await readForm(official, year);
  const own = form === 'f8949' ? [own8949(year, 1), own8949(year, 2)] : [ownFront(year), ownBack()];
  const drawn = await readForm(await (form === 'f8949' ? blank8949(year) : blankScheduleD(year)), year);
  const differences = theirs.length === own.length ? [] : [`The form has ${theirs.length} pages, ours ${own.length}.`];
  own.forEach((fields, index) => {
    const page = theirs[index];
    if (page === undefined) return;
    const of = [...fieldDifferences(fields, page), ...wordDifferences(drawn[index]?.words ?? [], page.words)];
    differences.push(...of.map((difference) => `Page ${index + 1}: ${difference}`));
  });
  return differences;
}

/** In points. Edges of adjacent fields differ by about one between the years. */
const tolerance = 1.2;

function fieldDifferences(own: OwnFields, { fields }: FormPageRead): string[] {
  const unmatched = new Map(fields);
  const differences: string[] = [];
  for (const [name, rectangle] of own) {
    const found = [...unmatched].find(([, other]) => isSame(rectangle, other));
    if (found === undefined)
      differences.push(`our ${name} is at ${shown(rectangle)}, and the form has no field there.`);
    else unmatched.delete(found[0]);
  }
  for (const [name, rectangle] of unmatched) differences.push(`we have no field ${name} at ${shown(rectangle)}.`);
  return differences;
}

function isSame(own: Rectangle, other: Rectangle): boolean {
  return own.every((edge, at) => Math.abs(edge - (other[at] ?? Number.NaN)) <= tolerance);
}

function shown(rectangle: Rectangle): string {
  return rectangle.map((edge) => edge.toFixed(1)).join(' ');
}

/** Compares how often each word occurs. The positions of the words are set manually and checked visually. */
function wordDifferences(own: readonly string[], official: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const word of official) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const word of own) counts.set(word, (counts.get(word) ?? 0) - 1);
  return [...counts].flatMap(([word, count]) => {
    if (count === 0) return [];
    return [
      count > 0 ? `the word “${word}” is missing ${count} times.` : `the word “${word}” is ${-count} times too many.`,
    ];
  });
}

function own8949(year: number, part: 1 | 2): OwnFields {
  const { nameRight, tinLeft, boxes, rows, rowsTop, totalsBottom } = getFormLayout(year, part);
  const names = nameBottom(part);
  const fields = new Map<string, Rectangle>([
    ['the name', [36, names, nameRight, names + 14]],
    ['the taxpayer number', [tinLeft, names, 576, names + 14]],
  ]);
  for (const [box, bottom] of boxes) fields.set(`box ${box}`, [boxLeft, bottom, boxLeft + boxSize, bottom + boxSize]);
  for (let row = 1; row <= rows; row++) {
    const bottom = rowsTop - row * rowPitch;
    for (const column of columnNames) {
      const [left, right] = columns[column];
      fields.set(`row ${row} (${column})`, [left, bottom, right, bottom + (column === 'a' ? rowPitch : fieldHeight)]);
    }
  }
  for (const column of ['d', 'e', 'f', 'g', 'h'] as const) {
    const [left, right] = columns[column];
    fields.set(`line 2 (${column})`, [left, totalsBottom, right, totalsBottom + fieldHeight]);
  }
  return fields;
}

function ownFront(year: number): OwnFields {
  const [yes, no] = getFundBoxes(year);
  const fields = new Map<string, Rectangle>([
    ['the name', [36, 672, 452.9, 686]],
    ['the taxpayer number', [453.6, 672, 576, 686]],
    ['opportunity fund, yes', [yes, 662, yes + boxSize, 662 + boxSize]],
    ['opportunity fund, no', [no, 662, no + boxSize, 662 + boxSize]],
  ]);
  for (const [line, bottom] of Object.entries(getFieldBottoms(year))) {
    if (/^(?:1a|1b|2|3|8a|8b|9|10)$/.test(line)) {
      for (const [column, [left, right]] of Object.entries(amountColumns)) {
        fields.set(`line ${line} (${column})`, [left, bottom, right, bottom + fieldHeight]);
      }
      continue;
    }
    // The form prints a carryover between parentheses.
    const [left, right] = line === '6' || line === '14' ? [507, 573] : amountColumns.h;
    fields.set(`line ${line}`, [left, bottom, right, bottom + fieldHeight]);
  }
  return fields;
}

function ownBack(): OwnFields {
  const fields = new Map<string, Rectangle>();
  const [left, right] = summaryColumn;
  for (const [line, bottom] of Object.entries({ ...summaryBottoms, '19': 492 })) {
    fields.set(`line ${line}`, line === '21' ? [492.6, bottom, 573, bottom + 12] : [left, bottom, right, bottom + 12]);
  }
  checkBoxes.forEach((bottom, index) => {
    const words = `line ${17 + Math.floor(index / 2) * 2 + (index > 1 ? 1 : 0)}, ${index % 2 === 0 ? 'yes' : 'no'}`;
    fields.set(words, [66.8, bottom, 74.8, bottom + boxSize]);
  });
  return fields;
}

function blank8949(year: number): Promise<Uint8Array> {
  return drawn((canvas) => {
    for (const part of [1, 2] as const) {
      canvas.page();
      drawBlank8949(canvas, year, part);
    }
  });
}

function blankScheduleD(year: number): Promise<Uint8Array> {
  return drawn((canvas) => {
    canvas.page();
    drawScheduleDFront(canvas, year);
    canvas.page();
    drawScheduleDBack(canvas, year);
  });
}

async function drawn(draw: (canvas: Canvas) => void): Promise<Uint8Array> {
  const canvas = await Canvas.open({ title: 'Blank', created: '2026-01-01', seed: 'blank' });
  draw(canvas);
  return canvas.bytes();
}
