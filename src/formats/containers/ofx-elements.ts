import { damagedOfx } from './container-refusals.ts';

/**
 * Reads the elements of an OFX file: version 1, which is SGML without most end tags, and version 2, which is XML (Open
 * Financial Exchange 1.6 and 2.2). An element with text ends at the next tag. Attributes, comments and processing
 * instructions are ignored, and entities other than characters are refused.
 */

/** An element with other elements in a list, such as one transaction. */
export interface OfxRecord {
  /** The name of the list: `INVTRANLIST`. */
  readonly list: string;
  /** The name of the element: `BUYSTOCK`. */
  readonly name: string;
  /** The line in the file where the element begins, 1-based. */
  readonly line: number;
  /**
   * The first text of each name (`FITID`), and of each name with the element around it (`INVTRAN/FITID`). In the list of
   * securities, the latter is the path inside the record (`SECINFO/SECID/UNIQUEID`).
   */
  readonly texts: ReadonlyMap<string, string>;
}

/** A single text outside the lists, such as the number of an account. */
export interface OfxValue {
  readonly name: string;
  /** The name of the element around it. */
  readonly parent: string;
  readonly text: string;
}

export type OfxPart = OfxRecord | OfxValue;

/** Elements that contain the records. */
const lists: ReadonlySet<string> = new Set('INVTRANLIST INVPOSLIST INVOOLIST SECLIST BANKTRANLIST'.split(' '));

/** Elements that always contain others. Only these must have an end tag. */
const aggregates: ReadonlySet<string> = new Set([
  ...lists,
  ...`OFX SONRS FI STATUS INVSTMTMSGSRSV1 INVSTMTTRNRS INVSTMTRS INVACCTFROM INVBAL BALLIST BAL SECLISTMSGSRSV1
    BANKMSGSRSV1 STMTTRNRS STMTRS BANKACCTFROM CREDITCARDMSGSRSV1 CCSTMTTRNRS CCSTMTRS CCACCTFROM SIGNONMSGSRSV1
    INVTRAN INVBUY INVSELL SECID SECINFO INVPOS STMTTRN CURRENCY ORIGCURRENCY`.split(/\s+/),
]);

/** The elements of the lists in the specification, which never occur inside another element of a list. */
export const recordNames: ReadonlySet<string> = new Set(
  `BUYDEBT BUYMF BUYOPT BUYOTHER BUYSTOCK CLOSUREOPT INCOME INVBANKTRAN INVEXPENSE JRNLFUND JRNLSEC MARGININTEREST
    REINVEST RETOFCAP SELLDEBT SELLMF SELLOPT SELLOTHER SELLSTOCK SPLIT TRANSFER POSDEBT POSMF POSOPT POSOTHER POSSTOCK
    DEBTINFO MFINFO OPTINFO OTHERINFO STOCKINFO`.split(/\s+/),
);

const [depthMax, tagCharactersMax, textCharactersMax, textsMax] = [40, 64, 16_384, 400];

interface OpenElement {
  readonly name: string;
  readonly at: number;
  text: string;
  hasElements: boolean;
}

/** Yields the parts of an OFX file in order. Throws `not_csv` with the line if the file is damaged. */
export function* readOfxParts(source: string): Generator<OfxPart> {
  const elements = new OpenElements(source);
  for (let position = 0; position < source.length; ) {
    const start = findTag(source, position);
    elements.addText(source.slice(position, start === -1 ? undefined : start), position);
    if (start === -1) break;
    const [begin, ending] = marks.find(([mark]) => source.startsWith(mark, start)) ?? ['<', '>'];
    if (begin === '<' && source.startsWith('<!', start))
      elements.fail('there is a document type, which OFX files do not have', start);
    const stop = source.indexOf(ending, start);
    if (stop === -1) elements.fail('a tag is not complete, so the file is truncated', start);
    position = stop + ending.length;
    if (begin === '<![CDATA[')
      elements.addText(source.slice(start + begin.length, stop).replaceAll('&', '&amp;'), start);
    if (begin !== '<') continue;
    const [, slash, name = '', isEmpty] =
      tag.exec(source.slice(start + 1, Math.min(stop, start + tagCharactersMax))) ?? [];
    if (name === '') elements.fail('there is a tag that is not one of an OFX file', start);
    if (slash === '') elements.open(name.toUpperCase(), start);
    if (slash !== '' || isEmpty !== '') elements.close(name.toUpperCase(), start);
    if (elements.parts.length > 0) yield* elements.parts.splice(0);
  }
  elements.finish();
}

/** Returns the position of the next tag, or -1. Brokers also write `<` in texts. */
function findTag(source: string, from: number): number {
  let start = source.indexOf('<', from);
  while (start !== -1 && !/[\w/!?]/.test(source.charAt(start + 1))) start = source.indexOf('<', start + 1);
  return start;
}

/** The beginning and the end of what is between texts. */
const marks: readonly (readonly [begin: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<', '>'],
];

/** The elements around a position in the file. */
class OpenElements {
  /** The parts that are complete and have not been taken. */
  readonly parts: OfxPart[] = [];
  private readonly stack: OpenElement[] = [];
  private record: { readonly depth: number; readonly texts: Map<string, string> } | undefined;
  private readonly lineOf: (at: number) => number;
  private isEmpty = true;

  constructor(source: string) {
    this.lineOf = createLineCounter(source);
  }

  fail(what: string, at: number): never {
    throw damagedOfx(`on line ${this.lineOf(at)}, ${what}`);
  }

  addText(text: string, at: number): void {
    const top = this.stack.at(-1);
    if (top === undefined || text === '' || top.hasElements) return;
    top.text += text;
    if (top.text.length > textCharactersMax) this.fail(`the text of ${top.name} is too long`, at);
  }

  open(name: string, at: number): void {
    this.isEmpty = false;
    const top = this.stack.at(-1);
    if (top !== undefined && top.text.trim() !== '') this.end();
    if (recordNames.has(name)) this.endInner((inner) => lists.has(inner));
    const parent = this.stack.at(-1);
    if (parent === undefined && name !== 'OFX') this.fail(`${name} is outside of OFX`, at);
    if (parent !== undefined) parent.hasElements = true;
    if (this.stack.length === depthMax) this.fail(`elements are nested more than ${depthMax} deep`, at);
    if (this.record === undefined && lists.has(parent?.name ?? ''))
      this.record = { depth: this.stack.length, texts: new Map() };
    this.stack.push({ name, at, text: '', hasElements: false });
  }

  close(name: string, at: number): void {
    if (!this.stack.some((one) => one.name === name)) this.fail(`</${name}> closes nothing`, at);
    this.endInner((inner) => inner === name);
    this.end();
  }

  finish(): void {
    if (this.isEmpty) throw damagedOfx('it ends after its first lines');
    const inner = this.stack.findLast(({ name }) => isAggregate(name)) ?? this.stack[0];
    if (inner !== undefined) this.fail(`${inner.name} begins and is never closed, so the file is truncated`, inner.at);
  }

  /** Ends the elements without an end tag inside of the one that `isOuter` accepts. */
  private endInner(isOuter: (name: string) => boolean): void {
    for (let top = this.stack.at(-1); top !== undefined && !isOuter(top.name); top = this.stack.at(-1)) {
      if (isAggregate(top.name)) this.fail(`${top.name} begins and is not closed`, top.at);
      this.end();
    }
  }

  /** Ends the innermost element. */
  private end(): void {
    const { stack, record } = this;
    const { name, hasElements, at, text: written } = stack.pop() as OpenElement;
    const parent = stack.at(-1)?.name ?? '';
    const text = hasElements ? '' : decodeText(written);
    if (record === undefined) {
      if (text !== '') this.parts.push({ name, parent, text });
    } else if (stack.length > record.depth) {
      if (text === '') return;
      const isSecurity = stack[record.depth - 1]?.name === 'SECLIST';
      const path = isSecurity
        ? [...stack.slice(record.depth + 1).map((one) => one.name), name].join('/')
        : `${parent}/${name}`;
      for (const key of [path, name]) if (!record.texts.has(key)) record.texts.set(key, text);
      if (record.texts.size > textsMax) this.fail(`${stack[record.depth]?.name} has too many elements`, at);
    } else {
      this.record = undefined;
      if (hasElements) this.parts.push({ list: parent, name, line: this.lineOf(at), texts: record.texts });
    }
  }
}

function isAggregate(name: string): boolean {
  return aggregates.has(name) || recordNames.has(name);
}

const tag = /^(\/?)([A-Za-z][\w.-]*)\s*(\/?)$/;

/** Counts lines up to a position. Most positions rise, so each line end is counted about once. */
function createLineCounter(source: string): (at: number) => number {
  let [line, counted] = [1, 0];
  return (at) => {
    if (at < counted) [line, counted] = [1, 0];
    for (let next = source.indexOf('\n', counted); next !== -1 && next < at; next = source.indexOf('\n', counted)) {
      line += 1;
      counted = next + 1;
    }
    return line;
  };
}

const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };

/** Returns the text in one line, with its character references as characters. Others stay as they are. */
function decodeText(text: string): string {
  const decoded = text.includes('&')
    ? text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
        if (name !== undefined) return characters[String(name).toLowerCase()] ?? whole;
        const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
        return code >= 32 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
      })
    : text;
  return decoded.replace(/\s+/g, ' ').trim();
}
