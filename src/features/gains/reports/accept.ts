const formatOfMediaType: Readonly<Record<string, string>> = {
  'application/pdf': '8949',
  'text/csv': 'csv',
  'application/json': 'json',
};

const formatDefault = '8949';

/**
 * Returns the format for a request that names none, according to its Accept header. Chooses the media type with the
 * highest weight. Among equal weights, the first one in the header is chosen.
 */
export function acceptedFormat(accept: string | null): string {
  let best = { format: formatDefault, weight: 0 };
  for (const range of (accept ?? '').toLowerCase().split(',')) {
    const [mediaType = '', ...parameters] = range.split(';').map((text) => text.trim());
    const format = Object.hasOwn(formatOfMediaType, mediaType) ? formatOfMediaType[mediaType] : undefined;
    const weight = parseWeight(parameters);
    if (format !== undefined && weight > best.weight) best = { format, weight };
  }
  return best.format;
}

/** Parses the weight `q=0.5` (RFC 9110, 12.4.2). The default is 1. Invalid weights are 0. */
function parseWeight(parameters: readonly string[]): number {
  const stated = parameters.find((parameter) => parameter.startsWith('q='));
  if (stated === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(stated) ? Number(stated.slice(2)) : 0;
}
