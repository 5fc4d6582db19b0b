/**
 * A text that grows piece by piece, stored as bytes. Columns consist of short ASCII pieces, which are cheap to add
 * here.
 */
export class GrowingText {
  private bytes = Buffer.alloc(0);
  private length = 0;

  add(piece: string): void {
    this.reserve(3 * piece.length);
    if (piece.length > shortMax || !this.addShort(piece)) {
      this.length += this.bytes.write(piece, this.length, 'utf8');
    }
  }

  /** Adds one ASCII character. */
  addCode(code: number): void {
    this.reserve(1);
    this.bytes[this.length++] = code;
  }

  /** Removes the last `characters` ASCII characters. */
  drop(characters: number): void {
    this.length -= characters;
  }

  /** Returns the text and starts a new one in the same memory. */
  take(): string {
    const text = this.bytes.toString('utf8', 0, this.length);
    this.length = 0;
    return text;
  }

  /** Returns false if a character is not ASCII. */
  private addShort(piece: string): boolean {
    const { bytes, length } = this;
    for (let index = 0; index < piece.length; index++) {
      const code = piece.charCodeAt(index);
      if (code > asciiMax) return false;
      bytes[length + index] = code;
    }
    this.length += piece.length;
    return true;
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(bytesMin, 2 * this.bytes.length, this.length + more));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }
}

const asciiMax = 127;
/** Longer pieces are faster to encode as a whole than character by character. */
const shortMax = 24;
const bytesMin = 4_096;
