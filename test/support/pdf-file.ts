import { deflateSync } from 'node:zlib';

/** Writes PDFs with attachments the way programs do: plainly, packed, or with their objects in a stream. */

export interface PdfAttached {
  readonly name: string;
  readonly content: string;
}

type PdfStyle = 'plain' | 'packed' | 'object streams';

const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>';

/** Returns a PDF with a page and these files. `trailer` is added to its trailer, such as `/Encrypt 9 0 R`. */
export function pdf(files: readonly PdfAttached[], style: PdfStyle = 'packed', trailer = ''): Uint8Array {
  const names = files.map(({ name }, at) => `(${name}) ${20 + 2 * at} 0 R`).join(' ');
  const plain: [number: number, text: string][] = [
    [1, `<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [${names}] >> >> >>`],
    [2, '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'],
    [3, page],
    ...files.map(({ name }, at): [number, string] => [
      20 + 2 * at,
      `<< /Type /Filespec /F (${name}) /UF (${name}) /EF << /F ${21 + 2 * at} 0 R >> >>`,
    ]),
  ];
  const isPacked = style !== 'plain';
  const parts: Uint8Array[] = [bytesOf('%PDF-1.7\n%\u00e2\u00e3\n')];
  const offsets = new Map<number, number>();
  const length = (): number => parts.reduce((sum, part) => sum + part.length, 0);
  const add = (number: number, ...content: readonly (string | Uint8Array)[]): void => {
    offsets.set(number, length());
    for (const part of [`${number} 0 obj\n`, ...content, '\nendobj\n'])
      parts.push(typeof part === 'string' ? bytesOf(part) : part);
  };
  const addStream = (number: number, dictionary: string, text: string, packs = isPacked): void => {
    const data = packs ? new Uint8Array(deflateSync(text)) : new TextEncoder().encode(text);
    const filter = packs ? ' /Filter /FlateDecode' : '';
    add(number, `<< ${dictionary}${filter} /Length ${data.length} >>\nstream\n`, data, '\nendstream');
  };
  addStream(4, '', 'BT /F1 12 Tf (Form 1099-B) Tj ET');
  for (const [at, { content }] of files.entries())
    addStream(
      21 + 2 * at,
      style === 'object streams' ? '' : '/Type /EmbeddedFile /Subtype /application#2Fjson',
      content,
    );
  if (style === 'object streams') {
    let offset = 0;
    const places = plain.map(([number, text]) => {
      const place = `${number} ${offset}`;
      offset += text.length + 1;
      return place;
    });
    const first = `${places.join(' ')}\n`;
    addStream(
      90,
      `/Type /ObjStm /N ${plain.length} /First ${first.length}`,
      `${first}${plain.map(([, text]) => `${text}\n`).join('')}`,
    );
  } else for (const [number, text] of plain) add(number, text);
  parts.push(bytesOf(`trailer\n<< /Size 100 /Root 1 0 R ${trailer} >>\nstartxref\n0\n%%EOF\n`));
  return new Uint8Array(Buffer.concat(parts));
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
