import { type Bookmark, type Canvas, type Color, type Face, pageHeight, pageWidth } from './canvas.ts';

/**
 * Pages that text and tables flow over, with margins, a running header, and a new page when the current one is full.
 */

export const margin = 48;
export const contentWidth = pageWidth - 2 * margin;
export const palette = {
  text: [0.13, 0.15, 0.2],
  muted: [0.42, 0.45, 0.5],
  rule: [0.84, 0.86, 0.89],
  band: [0.955, 0.963, 0.975],
  accent: [0.1, 0.26, 0.47],
  /** Blue for gains and orange for losses, because color-blind readers can distinguish them. */
  gain: [0.13, 0.47, 0.71],
  loss: [0.84, 0.37, 0],
  warning: [0.7, 0, 0],
} as const satisfies Record<string, Color>;

const top = pageHeight - 64;
const bottom = 56;
/** A short chapter begins on the current page if the position is above this height, or else on a new page. */
const flowFrom = 300;

export interface Chapter {
  readonly title: string;
  readonly page: number;
}

export class Sheet {
  /** The position of the next line, measured from the bottom of the page. */
  y = top;
  readonly chapters: Chapter[] = [];
  private chapter: Bookmark | null = null;

  constructor(
    readonly canvas: Canvas,
    private readonly runningHead: string,
    private readonly draft: boolean,
  ) {}

  /** Starts a page with its running header. */
  page(): void {
    this.canvas.page();
    this.canvas.text(margin, pageHeight - 36, this.runningHead, {
      size: 8,
      color: palette.muted,
      widthMax: contentWidth - 60,
    });
    if (this.draft) {
      this.canvas.text(pageWidth - margin, pageHeight - 36, 'DRAFT', {
        size: 9,
        face: 'bold',
        color: palette.warning,
        align: 'right',
      });
    }
    this.canvas.line(margin, pageHeight - 42, pageWidth - margin, pageHeight - 42, 0.5, palette.rule);
    this.y = top;
  }

  /**
   * Starts a chapter and adds it to the bookmarks. It begins on a new page, or on the current one if enough space is
   * left.
   */
  open(title: string, start: 'new page' | 'flowing' = 'new page'): void {
    if (start === 'new page' || this.y < flowFrom) this.page();
    else this.space(16);
    this.chapters.push({ title, page: this.canvas.pageNumber });
    this.chapter = this.canvas.bookmark(title);
    this.canvas.text(margin, this.y - 16, title, { size: 18, face: 'bold', color: palette.accent });
    this.y -= 34;
  }

  heading(title: string, bookmark = false): void {
    this.need(60);
    if (bookmark) this.canvas.bookmark(title, this.chapter);
    this.canvas.text(margin, this.y - 14, title, { size: 11.5, face: 'bold', color: palette.text });
    this.y -= 22;
  }

  paragraph(text: string, face: Face = 'regular', color: Color = palette.text): void {
    for (const line of this.canvas.wrap(text, 9.5, contentWidth, face)) {
      this.need(14);
      this.canvas.text(margin, this.y - 10, line, { size: 9.5, face, color });
      this.y -= 13;
    }
    this.y -= 5;
  }

  space(height: number): void {
    this.y -= height;
  }

  /** Starts a new page if less than `height` is left. Returns whether it did. */
  need(height: number): boolean {
    if (this.y - height >= bottom) return false;
    this.page();
    return true;
  }

  /** Adds page numbers once their count is known. */
  numberPages(): void {
    const count = this.canvas.pageNumber;
    for (let page = 1; page <= count; page++) {
      this.canvas.turnTo(page);
      this.canvas.text(pageWidth - margin, 32, `Page ${page} of ${count}`, {
        size: 8,
        color: palette.muted,
        align: 'right',
      });
    }
  }
}
