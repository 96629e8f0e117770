import { createHash, randomBytes } from 'node:crypto';
import type { CreatedAccessToken } from '@nephos/contracts';
import type { Person } from '../world.ts';

/** A registry as a client knows it. */
export interface RegistryAccount {
  /** For example `http://127.0.0.1:5000`. */
  url: string;
  username?: string | undefined;
  password?: string | undefined;
}

export interface RegistryAnswer {
  status: number;
  headers: Headers;
  body: Buffer;
  /** The body as JSON. */
  json(): unknown;
}

export interface RegistryRequest {
  headers?: Record<string, string>;
  body?: Buffer | string | ReadableStream<Uint8Array>;
}

export type Call = (method: string, path: string, request?: RegistryRequest) => Promise<RegistryAnswer>;

export type Algorithm = 'sha256' | 'sha512';

export function digestOf(content: Buffer | string, algorithm: Algorithm = 'sha256'): string {
  return `${algorithm}:${createHash(algorithm).update(content).digest('hex')}`;
}

/** An access token of someone, as the account page makes it. */
export async function makeToken(
  person: Person,
  scope: 'read' | 'write' = 'write',
): Promise<CreatedAccessToken> {
  return person.rpc.auth.createToken.mutate({ name: 'Test', scope });
}

async function send(url: URL, method: string, { headers, body }: RegistryRequest, token: string | undefined) {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(token !== undefined && { authorization: token }) },
    ...(body !== undefined && { body: Buffer.isBuffer(body) ? new Uint8Array(body) : body }),
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  });
  const content = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    headers: response.headers,
    body: content,
    json: () => JSON.parse(content.toString('utf8')) as unknown,
  };
}

function parametersOf(challenge: string): Map<string, string> {
  return new Map(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** Asks the token service that a challenge names, with the account's credentials where it has some. */
async function fetchToken({ url, username, password }: RegistryAccount, challenge: string) {
  const parameters = parametersOf(challenge);
  // By the address we know: a realm may name a host that only its own clients can resolve.
  const realm = new URL(new URL(parameters.get('realm') ?? '').pathname, url);
  for (const name of ['service', 'scope']) {
    const value = parameters.get(name);
    if (value !== undefined) realm.searchParams.set(name, value);
  }
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const answer = await send(realm, 'GET', {}, username === undefined ? undefined : basic);
  if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${answer.body.toString()}`);
  return `Bearer ${(answer.json() as { token: string }).token}`;
}

/** A client that answers challenges as Docker's does, and keeps the tokens it got by what they were for. */
export function registryClient(account: RegistryAccount): Call {
  const tokens = new Map<string, string>();
  return async (method, path, request = {}) => {
    const url = new URL(path, account.url);
    const scope = `${method === 'GET' || method === 'HEAD' ? 'pull' : method} ${url.pathname.split(/\/(?:blobs|manifests|tags|referrers)\//)[0]}`;
    const first = await send(url, method, request, tokens.get(scope));
    const challenge = first.headers.get('www-authenticate');
    if (first.status !== 401 || !challenge) return first;
    if (challenge.startsWith('Basic')) {
      tokens.set(scope, `Basic ${Buffer.from(`${account.username}:${account.password}`).toString('base64')}`);
    } else tokens.set(scope, await fetchToken(account, challenge));
    if (request.body instanceof ReadableStream)
      throw new Error('a stream cannot be sent twice: call GET first');
    return send(url, method, request, tokens.get(scope));
  };
}

/** Pushes a blob in one request and expects it to be taken. */
export async function pushBlob(
  call: Call,
  name: string,
  content: Buffer,
  algorithm: Algorithm = 'sha256',
): Promise<string> {
  const digest = digestOf(content, algorithm);
  const begun = await call('POST', `/v2/${name}/blobs/uploads/`);
  if (begun.status !== 202) throw new Error(`no upload: ${begun.status} ${begun.body.toString()}`);
  const location = begun.headers.get('location') ?? '';
  const put = await call('PUT', withQuery(location, { digest }), {
    body: content,
    headers: { 'content-type': 'application/octet-stream' },
  });
  if (put.status !== 201) throw new Error(`no blob: ${put.status} ${put.body.toString()}`);
  return digest;
}

export function withQuery(location: string, parameters: Record<string, string>): string {
  const url = new URL(location, 'http://registry');
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.origin === 'http://registry' ? `${url.pathname}${url.search}` : url.href;
}

export const OCI_MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
export const OCI_INDEX = 'application/vnd.oci.image.index.v1+json';
export const OCI_CONFIG = 'application/vnd.oci.image.config.v1+json';
export const OCI_LAYER = 'application/vnd.oci.image.layer.v1.tar';

export interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
}

export function descriptorOf(
  mediaType: string,
  content: Buffer | string,
  algorithm: Algorithm = 'sha256',
): Descriptor {
  return { mediaType, digest: digestOf(content, algorithm), size: Buffer.byteLength(content) };
}

/** Pushes an image of one layer, random unless given, and its tag. */
export async function pushImage(
  call: Call,
  name: string,
  { tag = 'latest', layer = randomBytes(1000) }: { tag?: string; layer?: Buffer } = {},
): Promise<{ digest: string; content: string; layer: Descriptor; config: Descriptor }> {
  const configText = Buffer.from(JSON.stringify({ os: 'linux', architecture: 'amd64' }));
  await pushBlob(call, name, layer);
  await pushBlob(call, name, configText);
  const config = descriptorOf(OCI_CONFIG, configText);
  const layers = [descriptorOf(OCI_LAYER, layer)];
  const content = JSON.stringify({ schemaVersion: 2, mediaType: OCI_MANIFEST, config, layers });
  const put = await putManifest(call, name, tag, content);
  if (put.status !== 201) throw new Error(`no manifest: ${put.status} ${put.body.toString()}`);
  return { digest: digestOf(content), content, layer: descriptorOf(OCI_LAYER, layer), config };
}

export function putManifest(
  call: Call,
  name: string,
  reference: string,
  content: string,
  mediaType = OCI_MANIFEST,
): Promise<RegistryAnswer> {
  return call('PUT', `/v2/${name}/manifests/${reference}`, {
    body: content,
    headers: { 'content-type': mediaType },
  });
}
