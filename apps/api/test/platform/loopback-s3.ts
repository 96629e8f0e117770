import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Keys of a page: few, so that lists have several. */
const PAGE = 3;
const LEAST_PART = 5 * 1024 * 1024;

interface Stored {
  bytes: Buffer;
  at: Date;
}

interface Call {
  method: string;
  key: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

/** S3 in memory for one bucket, as far as our driver speaks it; it can be made to refuse everything. */
export interface LoopbackS3 {
  endpoint: URL;
  objects: Map<string, Stored>;
  multiparts: Map<string, { key: string; at: Date; parts: Map<number, Buffer> }>;
  /** What it answers to everything from now on; undefined: as it should. */
  refuse(answer: { status: number; code: string } | undefined): void;
  close(): Promise<void>;
}

const tagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`;
const xml = (name: string, body: string): Reply => ({
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?><${name}>${body}</${name}>`,
});
const refusal = (status: number, code: string): Reply => ({
  status,
  ...xml('Error', `<Code>${code}</Code><Message>no</Message>`),
});

function ranged(bytes: Buffer, range: string | undefined): Buffer {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  return first === undefined ? bytes : bytes.subarray(Number(first), Number(last) + 1);
}

export async function startLoopbackS3(bucket: string): Promise<LoopbackS3> {
  const objects: LoopbackS3['objects'] = new Map();
  const multiparts: LoopbackS3['multiparts'] = new Map();
  let refused: { status: number; code: string } | undefined;

  const sourceOf = ({ headers }: Call) => {
    const source = decodeURIComponent(String(headers['x-amz-copy-source']));
    return objects.get(source.slice(source.indexOf('/') + 1));
  };

  function list({ query }: Call): Reply {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? '';
    const found = [...objects].filter(([key]) => key.startsWith(prefix) && key > after).sort();
    const page = found.slice(0, PAGE);
    const next = found.length > PAGE ? page.at(-1)?.[0] : undefined;
    const rows = page.map(
      ([key, { bytes, at }]) =>
        `<Contents><Key>${key}</Key><Size>${bytes.length}</Size><LastModified>${at.toISOString()}</LastModified></Contents>`,
    );
    const more = next ? `<NextContinuationToken>${next}</NextContinuationToken>` : '';
    return xml('ListBucketResult', `<IsTruncated>${next !== undefined}</IsTruncated>${more}${rows.join('')}`);
  }

  function listMultiparts(): Reply {
    const rows = [...multiparts].map(
      ([id, { key, at }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${at.toISOString()}</Initiated></Upload>`,
    );
    return xml('ListMultipartUploadsResult', `<IsTruncated>false</IsTruncated>${rows.join('')}`);
  }

  function multipart(call: Call): Reply {
    const { method, key, query, body } = call;
    if (query.has('uploads')) {
      const id = randomUUID();
      multiparts.set(id, { key, at: new Date(), parts: new Map() });
      return xml('InitiateMultipartUploadResult', `<UploadId>${id}</UploadId>`);
    }
    const id = query.get('uploadId') ?? '';
    const upload = multiparts.get(id);
    if (!upload) return refusal(404, 'NoSuchUpload');
    if (method === 'DELETE') {
      multiparts.delete(id);
      return { status: 204 };
    }
    if (method === 'PUT') {
      const isCopy = call.headers['x-amz-copy-source'] !== undefined;
      const bytes = isCopy
        ? ranged(sourceOf(call)?.bytes ?? Buffer.alloc(0), String(call.headers['x-amz-copy-source-range']))
        : body;
      upload.parts.set(Number(query.get('partNumber')), bytes);
      const tag = tagOf(bytes);
      return isCopy ? xml('CopyPartResult', `<ETag>${tag}</ETag>`) : { headers: { etag: tag } };
    }
    const tags = [...body.toString().matchAll(/<ETag>(.*?)<\/ETag>/g)].map(([, tag = '']) =>
      tag.replaceAll('&quot;', '"'),
    );
    const parts = tags.map((_, at) => upload.parts.get(at + 1));
    if (parts.some((part, at) => !part || tagOf(part) !== tags[at])) return refusal(400, 'InvalidPart');
    const whole = parts.flatMap((part) => part ?? []);
    if (whole.slice(0, -1).some(({ length }) => length < LEAST_PART)) return refusal(400, 'EntityTooSmall');
    objects.set(key, { bytes: Buffer.concat(whole), at: new Date() });
    multiparts.delete(id);
    return xml('CompleteMultipartUploadResult', `<ETag>"${id}"</ETag>`);
  }

  function object(call: Call): Reply {
    const { method, key, headers, body } = call;
    if (method === 'DELETE') {
      objects.delete(key);
      return { status: 204 };
    }
    if (method === 'PUT') {
      const copied = headers['x-amz-copy-source'] === undefined ? body : sourceOf(call)?.bytes;
      if (!copied) return refusal(404, 'NoSuchKey');
      objects.set(key, { bytes: copied, at: new Date() });
      return copied === body
        ? { headers: { etag: tagOf(body) } }
        : xml('CopyObjectResult', `<ETag>${tagOf(copied)}</ETag>`);
    }
    const found = objects.get(key);
    if (!found) return refusal(404, 'NoSuchKey');
    const bytes = ranged(found.bytes, headers.range);
    return {
      status: headers.range ? 206 : 200,
      headers: { 'content-length': String(bytes.length), 'last-modified': found.at.toUTCString() },
      body: bytes,
    };
  }

  function answer(call: Call): Reply {
    const { key, query } = call;
    if (refused) return refusal(refused.status, refused.code);
    if (query.has('list-type')) return list(call);
    if (key === '') return query.has('uploads') ? listMultiparts() : {};
    return query.has('uploads') || query.has('uploadId') ? multipart(call) : object(call);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [, name, ...rest] = decodeURIComponent(url.pathname).split('/');
    const call = {
      ...{ method: request.method ?? 'GET', key: rest.join('/'), query: url.searchParams },
      ...{ headers: request.headers, body: await buffer(request) },
    };
    const { status = 200, headers, body } = name === bucket ? answer(call) : refusal(404, 'NoSuchBucket');
    response.writeHead(status, headers).end(call.method === 'HEAD' ? undefined : body);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: new URL(`http://127.0.0.1:${port}`),
    objects,
    multiparts,
    refuse(answer) {
      refused = answer;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
