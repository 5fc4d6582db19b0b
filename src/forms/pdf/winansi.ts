/** Encodes the characters that the core fonts in every PDF reader can print: Windows code page 1252. */

const codes: ReadonlyMap<string, number> = buildWinAnsiTable();

/** Returns a binary string of code page 1252 bytes, or undefined if a character is not in the code page. */
export function encodeWinAnsi(text: string): string | undefined {
  if (/^[ -~]*$/.test(text)) return text;
  let bytes = '';
  for (const character of text) {
    const code = codes.get(character);
    if (code === undefined) return undefined;
    bytes += String.fromCharCode(code);
  }
  return bytes;
}

/** Converts text to one printable line. Control characters and line ends become spaces, because no form prints them. */
export function printable(text: string): string {
  return /^[ -~]*$/.test(text) ? text : text.normalize('NFC').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** Escapes text for a PDF literal string. */
export function escapeLiteral(bytes: string): string {
  return bytes.replace(/[\\()]/g, '\\$&');
}

function buildWinAnsiTable(): Map<string, number> {
  const decoder = new TextDecoder('windows-1252');
  const table = new Map<string, number>();
  for (let code = 0x20; code <= 0xff; code++) {
    const character = decoder.decode(Uint8Array.of(code));
    if (/\p{Cc}/u.test(character)) continue;
    table.set(character, code);
  }
  return table;
}
