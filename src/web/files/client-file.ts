/** A file of the web client, compressed at build time. */
export interface ClientFile {
  readonly type: string;
  readonly bodies: Readonly<Record<ContentEncoding, Blob>>;
}

export const contentEncodings = ['br', 'gzip', 'identity'] as const;
export type ContentEncoding = (typeof contentEncodings)[number];

/** The web client: its HTML page, and its files by path. File names contain their hashes. */
export interface ClientBundle {
  readonly index: ClientFile;
  /** A strong validator for the HTML page. */
  readonly etag: string;
  /** The files by path, such as `/assets/client-1a2b3c4d.js`. */
  readonly files: ReadonlyMap<string, ClientFile>;
}
