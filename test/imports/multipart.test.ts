import { describe, expect, test } from 'bun:test';
import { Refusal } from '../../src/base/refusal.ts';
import { openFilePart } from '../../src/features/ledger/imports/upload.ts';

const boundary = 'XX';
const type = `multipart/form-data; boundary=${boundary}`;

function form(...parts: [head: string, content: string][]): string {
  const texts = parts.map(
    ([head, content]) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`,
  );
  return `${texts.join('')}--${boundary}--\r\n`;
}

function piecesOf(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

async function read(
  text: string,
  size: number,
  contentType = type,
): Promise<{ fileName: string | null; text: string }> {
  const part = await openFilePart(piecesOf(text, size), contentType);
  return { fileName: part.fileName, text: await new Response(part.content).text() };
}

async function refusal(text: string, size = 7, contentType = type): Promise<string> {
  try {
    await read(text, size, contentType);
    return 'nothing';
  } catch (error) {
    return error instanceof Refusal ? error.code : String(error);
  }
}

describe('the file of a form', () => {
  const content = 'date,type\r\n2024-01-02,buy\r\n--X\r\n--XY\r\n\r\n';
  const whole = form(['name="note"', 'a\r\n--X'], ['name="file"; filename="a.csv"', content], ['name="more"', 'b']);

  test('is the same no matter how the stream is split', async () => {
    for (let size = 1; size < whole.length; size++) {
      expect(await read(whole, size)).toEqual({ fileName: 'a.csv', text: content });
    }
  });

  test('may be empty, and may have no name', async () => {
    expect(await read(form(['name=file', '']), 3)).toEqual({ fileName: null, text: '' });
  });

  test('keeps its name without the folder', async () => {
    const named = form(['name="file"; filename="C:\\\\taxes\\\\my \\"2024\\".csv"', 'x']);
    expect((await read(named, 5)).fileName).toBe('my "2024".csv');
  });

  test('is found with a boundary in quotes', async () => {
    expect((await read(whole, 9, 'multipart/form-data; charset=utf-8; boundary="XX"')).text).toBe(content);
  });

  const wrong: [string, string, string][] = [
    ['no boundary', whole, 'multipart/form-data'],
    ['another boundary', whole, 'multipart/form-data; boundary=YY'],
    ['no file', form(['name="other"', 'x']), type],
    ['an end before the closing boundary', whole.slice(0, whole.indexOf('--XX--') - 10), type],
    ['an end inside the file', whole.slice(0, whole.indexOf('2024')), type],
    ['an end inside the headers', whole.slice(0, whole.indexOf('filename')), type],
    ['nothing', '', type],
    ['endless headers', `--XX\r\nA: ${'x'.repeat(40_000)}`, type],
  ];
  for (const [name, text, contentType] of wrong) {
    test(`is refused for ${name}`, async () => {
      expect(await refusal(text, 7, contentType)).toBe('bad_request');
    });
  }
});
