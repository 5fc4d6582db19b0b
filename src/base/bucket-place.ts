/** A place in a bucket of an S3-compatible service. */
export interface BucketPlace {
  readonly bucket: string;
  keyOf(name: string): string;
  nameOf(key: string): string;
}

/** `s3://bucket/prefix`, with or without the prefix; null for anything else. */
export function readBucketPlace(place: string): BucketPlace | null {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*?)\/?)?$/.exec(place) ?? [];
  if (bucket === undefined) return null;
  const before = prefix === '' ? '' : `${prefix}/`;
  return { bucket, keyOf: (name) => `${before}${name}`, nameOf: (key) => key.slice(before.length) };
}
