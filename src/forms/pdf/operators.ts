/** Writes operators, numbers and dates in PDF syntax. */

/** Returns the operator that places text at a point, rotated by an angle in degrees. */
export function placement(x: number, y: number, angle: number | undefined): string {
  if (angle === undefined) return `1 0 0 1 ${number(x)} ${number(y)} Tm`;
  const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  return `${[cos, sin, -sin, cos, x, y].map(number).join(' ')} Tm`;
}

/** Formats a number with three decimals and no exponent. A thousandth of a point is finer than any printer can show. */
export function number(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/**
 * Formats a date in PDF syntax, in UTC regardless of the machine's time zone. A year that PDF does not accept becomes a
 * fixed day.
 */
export function pdfDate(at: string): string {
  const match = /^(20[0-2]\d|203[0-7])-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}):(\d{2}))?/.exec(at);
  if (match === null) return "D:20000101000000+00'00'";
  const [, year, month, day, hour = '00', minute = '00', second = '00'] = match;
  return `D:${year}${month}${day}${hour}${minute}${second}+00'00'`;
}

/** Returns 128 bits from four FNV-1a runs. They are unique but not secret. */
export function fileId(seed: string): string {
  let id = '';
  for (let run = 0; run < 4; run++) {
    let hash = 0x811c9dc5 ^ run;
    for (let index = 0; index < seed.length; index++) hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193);
    id += (hash >>> 0).toString(16).padStart(8, '0').toUpperCase();
  }
  return id;
}

/** Converts bytes to a string with one character per byte, which jsPDF's font file system requires. */
export function binaryString(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += 8192) {
    text += String.fromCharCode(...bytes.subarray(start, start + 8192));
  }
  return text;
}
