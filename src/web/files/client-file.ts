/** A file of the web client, as it is sent: compressed when it was built. */
export interface ClientFile {
  readonly type: string;
  readonly bodies: Readonly<Record<ContentEncoding, Blob>>;
}

export const contentEncodings = ['br', 'gzip', 'identity'] as const;
export type ContentEncoding = (typeof contentEncodings)[number];

/** The web client: its first page, and its files by their paths, whose names hold their hashes. */
export interface ClientBundle {
  readonly index: ClientFile;
  /** A strong validator of the first page. */
  readonly etag: string;
  /** `/assets/client-1a2b3c4d.js` → the file. */
  readonly files: ReadonlyMap<string, ClientFile>;
}
