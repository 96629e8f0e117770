import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { readAddress } from './address.ts';
import { readChunks } from './chunked-body.ts';
import { readClaim, verifySignature } from './signature.ts';

/** The example keys and signatures of S3's API reference, "Authenticating Requests". */
const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const CREDENTIAL = 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request';
const HOST = 'examplebucket.s3.amazonaws.com';
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

interface Example {
  method?: string;
  url: string;
  headers: Record<string, string>;
  /** Absent: it is in the address. */
  signature?: string;
}

function verify({ method = 'GET', url, headers, signature }: Example, secret = SECRET) {
  const sent: Record<string, string> = { Host: HOST, ...headers };
  if (signature !== undefined) {
    sent['x-amz-date'] ??= '20130524T000000Z';
    const names = Object.keys(sent).map((name) => name.toLowerCase());
    const SignedHeaders = names.sort().join(';');
    sent.Authorization = `AWS4-HMAC-SHA256 Credential=${CREDENTIAL},SignedHeaders=${SignedHeaders},Signature=${signature}`;
  }
  const entries = Object.entries(sent);
  const request = {
    ...{ method, url, rawHeaders: entries.flat() },
    headers: Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value])),
  } as Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'>;
  const address = readAddress({ publicUrl: new URL('http://console.example') }, request);
  const claim = readClaim(request, address);
  if (!claim) throw new Error('There is no claim.');
  return verifySignature(request, address, claim, secret);
}

const EXAMPLES: Record<string, Example> = {
  'GET object': {
    url: '/test.txt',
    headers: { Range: 'bytes=0-9', 'x-amz-content-sha256': EMPTY },
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  'PUT object': {
    method: 'PUT',
    url: '/test%24file.text',
    headers: {
      Date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    },
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  'GET bucket lifecycle': {
    url: '/?lifecycle',
    headers: { 'x-amz-content-sha256': EMPTY },
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  'GET bucket': {
    url: '/?max-keys=2&prefix=J',
    headers: { 'x-amz-content-sha256': EMPTY },
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
  'a signed address': {
    url:
      `/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${encodeURIComponent(CREDENTIAL)}` +
      '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
      '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    headers: {},
  },
};

test.each(Object.entries(EXAMPLES))(
  '%s of the reference is signed so, and with no other key',
  (_name, example) => {
    expect(() => verify(example)).not.toThrow();
    expect(() => verify(example, `${SECRET}x`)).toThrow(
      expect.objectContaining({ code: 'SignatureDoesNotMatch' }),
    );
  },
);

describe('a body in signed chunks', () => {
  const put = (payload: string, more: Record<string, string>, signature: string) =>
    verify({
      method: 'PUT',
      url: '/examplebucket/chunkObject.txt',
      headers: {
        ...{
          Host: 's3.amazonaws.com',
          'x-amz-content-sha256': payload,
          'x-amz-storage-class': 'REDUCED_REDUNDANCY',
        },
        ...{ 'Content-Encoding': 'aws-chunked', 'x-amz-decoded-content-length': '66560', ...more },
      },
      signature,
    });
  const signer = () =>
    put(
      'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
      { 'Content-Length': '66824' },
      '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9',
    );
  const body = [
    '10000;chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648',
    'a'.repeat(65_536),
    '400;chunk-signature=0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497',
    'a'.repeat(1024),
    '0;chunk-signature=b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9',
    '',
    '',
  ].join('\r\n');

  /** Reads what comes in pieces of `size` bytes. */
  async function read(text: string, size: number): Promise<number> {
    async function* pieces() {
      for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
    }
    let length = 0;
    for await (const bytes of readChunks(pieces(), { hasTrailer: false, signer: signer() }, new Map())) {
      length += bytes.length;
    }
    return length;
  }

  test.each([1, 7, 1000, 1_000_000])('is read however it is cut: pieces of %i bytes', async (size) => {
    expect(await read(body, size)).toBe(66_560);
  });

  test('is refused where a byte, a signature or the end is another', async () => {
    const refusal = (code: string) => expect.objectContaining({ code });
    await expect(read(body.replace('aaa', 'aba'), 1000)).rejects.toEqual(refusal('SignatureDoesNotMatch'));
    await expect(read(body.replace('ad80', 'ad81'), 1000)).rejects.toEqual(refusal('SignatureDoesNotMatch'));
    await expect(read(body.slice(0, body.indexOf('\r\n0;')), 1000)).rejects.toEqual(
      refusal('IncompleteBody'),
    );
    await expect(read(body.replace(/;chunk-signature=\w+/g, ''), 1000)).rejects.toEqual(
      refusal('SignatureDoesNotMatch'),
    );
  });
});
