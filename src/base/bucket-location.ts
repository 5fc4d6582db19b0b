/** A location in a bucket of an S3-compatible service. */
export interface BucketLocation {
  readonly bucket: string;
  keyOf(name: string): string;
  nameOf(key: string): string;
}

/** Parses `s3://bucket/prefix`, with or without the prefix. Returns null for anything else. */
export function parseBucketLocation(location: string): BucketLocation | null {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*?)\/?)?$/.exec(location) ?? [];
  if (bucket === undefined) return null;
  const before = prefix === '' ? '' : `${prefix}/`;
  return { bucket, keyOf: (name) => `${before}${name}`, nameOf: (key) => key.slice(before.length) };
}
