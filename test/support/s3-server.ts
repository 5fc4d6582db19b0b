import { isSigned } from './s3-signature.ts';

/**
 * A small service that implements the part of S3's protocol that `Bun.S3Client` uses: objects, multipart uploads, pages
 * of lists. It accepts one key, with which it checks every signature.
 */
export interface S3Server {
  readonly endpoint: string;
  /** Keyed by `bucket/key`. */
  readonly objects: Map<string, Uint8Array>;
  /** The next requests return this status. */
  failWith(status: number | null): void;
  /** Called before each response. If it returns a response, that response is sent instead. */
  intercept(hook: Hook | null): void;
  close(): Promise<void>;
}

/** `path` is `bucket/key`. Undefined handles the request normally. */
export type Hook = (method: string, path: string) => Promise<Response | undefined> | Response | undefined;

export const s3Keys = { accessKeyId: 'test-key', secretAccessKey: 'test-secret' } as const;
const pageKeys = 3;

export function s3Server(): S3Server {
  const objects = new Map<string, Uint8Array>();
  const uploads = new Map<string, Map<number, Uint8Array>>();
  let failure: number | null = null;
  let hook: Hook | null = null;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const url = new URL(request.url);
      const path = decodeURIComponent(url.pathname.slice(1));
      if (failure !== null) return errorOf(failure, 'InternalError');
      if (!isSigned(request, s3Keys)) return errorOf(403, 'AccessDenied');
      const answer = await hook?.(request.method, path);
      if (answer !== undefined) return answer;
      const query = url.searchParams;
      const upload = query.get('uploadId');
      switch (request.method) {
        case 'GET':
          return query.has('list-type') ? list(path.replace(/\/$/, ''), query) : read(path);
        case 'HEAD':
          return new Response(null, { status: objects.has(path) ? 200 : 404 });
        case 'POST':
          return upload === null ? begin(path) : complete(path, upload);
        case 'PUT':
          return upload === null
            ? store(path, await request.bytes())
            : part(upload, Number(query.get('partNumber')), await request.bytes());
        case 'DELETE':
          if (upload === null) objects.delete(path);
          else uploads.delete(upload);
          return new Response(null, { status: 204 });
        default:
          return errorOf(405, 'MethodNotAllowed');
      }
    },
  });

  const read = (path: string): Response => {
    const bytes = objects.get(path);
    return bytes === undefined ? errorOf(404, 'NoSuchKey') : new Response(bytes as BodyInit);
  };
  const store = (path: string, bytes: Uint8Array): Response => {
    objects.set(path, bytes);
    return new Response(null, { headers: { etag: '"1"' } });
  };
  const begin = (path: string): Response => {
    const id = crypto.randomUUID();
    uploads.set(id, new Map());
    return xml(
      `<InitiateMultipartUploadResult><Key>${path}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    );
  };
  const part = (upload: string, number: number, bytes: Uint8Array): Response => {
    uploads.get(upload)?.set(number, bytes);
    return new Response(null, { headers: { etag: `"${number}"` } });
  };
  const complete = (path: string, upload: string): Response => {
    const parts = [...(uploads.get(upload) ?? [])].sort(([one], [other]) => one - other);
    uploads.delete(upload);
    objects.set(path, new Uint8Array(Buffer.concat(parts.map(([, bytes]) => bytes))));
    return xml(`<CompleteMultipartUploadResult><Key>${path}</Key><ETag>"1"</ETag></CompleteMultipartUploadResult>`);
  };
  const list = (bucket: string, query: URLSearchParams): Response => {
    const prefix = `${bucket}/${query.get('prefix') ?? ''}`;
    const after = query.get('continuation-token') ?? '';
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, pageKeys);
    const isTruncated = keys.length > page.length;
    const contents = page.map((key) => `<Contents><Key>${key.slice(bucket.length + 1)}</Key><Size>1</Size></Contents>`);
    const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    return xml(
      `<ListBucketResult><Name>${bucket}</Name><KeyCount>${page.length}</KeyCount><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
    );
  };
  return {
    endpoint: `http://127.0.0.1:${server.port}`,
    objects,
    failWith: (status) => {
      failure = status;
    },
    intercept: (given) => {
      hook = given;
    },
    close: () => server.stop(true),
  };
}

function xml(body: string): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>${body}`, {
    headers: { 'content-type': 'application/xml' },
  });
}

export function errorOf(status: number, code: string): Response {
  return new Response(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`, {
    status,
    headers: { 'content-type': 'application/xml' },
  });
}
