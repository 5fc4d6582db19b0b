import { SaxesParser, type SaxesTagPlain } from 'saxes';

/** An opening tag, with its attributes by name. */
export type XmlTag = SaxesTagPlain;

/** Receives the elements of an XML document. Names have no prefix. */
export interface XmlHandlers {
  /** `line` is where the tag ends, 1-based. */
  open(name: string, tag: XmlTag, line: number): void;
  text?(piece: string): void;
  close?(name: string): void;
}

/**
 * Parses a document and yields after each piece. `fail` is called with what is wrong with the document, such as `is not
 * valid XML (…)`. A document type is refused, because it could define entities that expand without limit.
 */
export async function* parseXml(
  texts: AsyncIterable<string>,
  handlers: XmlHandlers,
  fail: (what: string) => never,
): AsyncGenerator<void> {
  const parser = new SaxesParser();
  parser.on('error', (error) => fail(`is not valid XML (${error.message})`));
  parser.on('doctype', () => fail('contains a document type'));
  parser.on('opentag', (tag) => handlers.open(localName(tag.name), tag, parser.line));
  if (handlers.text !== undefined) {
    const take = (piece: string): void => handlers.text?.(piece);
    parser.on('text', take);
    parser.on('cdata', take);
  }
  if (handlers.close !== undefined) parser.on('closetag', ({ name }) => handlers.close?.(localName(name)));
  for await (const text of texts) {
    parser.write(text);
    yield;
  }
  parser.close();
  yield;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
