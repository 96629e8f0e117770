import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { text } from 'node:stream/consumers';
import { connect, createSecureContext, type TLSSocket } from 'node:tls';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { requireTool } from '../../../../tools/require-tool.ts';
import { createTlsServer, type TlsServer } from '../../src/http/tls-server.ts';
import { createSecretsBox } from '../../src/platform/secrets-box.ts';
import { createTestAuthority, type TestAuthority } from '../custom-domains/test-certificates.ts';
import { type GitServer, startGitServer } from '../git-server.ts';
import { ECHO_APP } from './echo-app.ts';
import { createEngineWorld, type EngineWorld, type TestProject } from './engine-world.ts';

const HAS_OPENSSL = requireTool('openssl');

let authority: TestAuthority;
let git: GitServer;
let world: EngineWorld;
let tls: TlsServer;
let port: number;
let app: TestProject;
let host: string;
let socket: TLSSocket;
let session: ClientHttp2Session;

beforeAll(async () => {
  if (!HAS_OPENSSL) return;
  authority = await createTestAuthority();
  git = await startGitServer();
  world = await createEngineWorld({ env: { HTTPS_PORT: '443' } });
  await git.createRepository('echo', ECHO_APP);
  app = world.project(git.url('echo'));
  const { outcome, log } = await world.deploy(app);
  expect(outcome, log()).toEqual({ status: 'running' });
  host = `${app.slug}.localhost`;
  const { certificate, privateKey } = await authority.issue([host]);
  const context = createSecureContext({ cert: certificate, key: privateKey });
  tls = createTlsServer({
    server: world.server,
    certificateFor: (name) => (name === host ? context : undefined),
    secrets: createSecretsBox(Buffer.alloc(32)),
    log: pino({ level: 'silent' }),
  });
  port = await tls.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(() => {
  if (!HAS_OPENSSL) return;
  const to = { host: '127.0.0.1', port, servername: host, ca: authority.certificate, ALPNProtocols: ['h2'] };
  socket = connect(to);
  session = connectHttp2(`https://${host}:${port}`, { createConnection: () => socket });
});
afterEach(() => session?.destroy());
afterAll(async () => {
  if (!HAS_OPENSSL) return;
  await tls.close();
  await world.close();
  await git.close();
  await authority.close();
});

async function ask(headers: Record<string, string | string[]>, body?: Buffer) {
  const stream = session.request(headers, { endStream: body === undefined });
  if (body) stream.end(body);
  const [answer] = await once(stream, 'response');
  return { status: answer[':status'] as number, headers: answer, text: await text(stream) };
}

describe.skipIf(!HAS_OPENSSL)('an app by HTTP/2', () => {
  it('is told whom it answers, in the words of HTTP/1.1', async () => {
    const sent = { ':path': '/headers', 'x-own': '1', cookie: ['a=1', 'b=2'], te: 'trailers' };
    const headers = JSON.parse((await ask(sent)).text);
    expect(headers).toMatchObject({
      host: `${host}:${port}`,
      cookie: 'a=1; b=2',
      'x-own': '1',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': `${host}:${port}`,
    });
    expect(Object.keys(headers).filter((name) => /^:|^te$|transfer-encoding/.test(name))).toEqual([]);
    const plain = await world.ask(app, '/headers', { host });
    expect(JSON.parse(plain.text)).toMatchObject({ 'x-forwarded-proto': 'http' });
  });

  it('gives its answers, without what is of one connection', async () => {
    const answer = await ask({ ':path': '/?a=b' });
    expect(answer).toMatchObject({ status: 418, text: '?a=b', headers: { 'x-twice': 'a, b' } });
    expect(answer.headers).not.toHaveProperty('connection');
    const cookies = await ask({ ':path': `/cookies?domain=${host}` });
    expect(cookies.headers['set-cookie']).toHaveLength(2);
  });

  it.each([
    ['of a length that is said', { 'content-length': '3000000' }],
    ['of another', {}],
  ])('takes bodies %s', async (_, headers) => {
    const answer = await ask({ ':path': '/upload', ':method': 'POST', ...headers }, Buffer.alloc(3_000_000));
    expect(answer.text).toBe('3000000');
  });

  it('answers many at once over one connection, all of which is counted', async () => {
    world.engine.collectEgress();
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, (_, n) => ask({ ':path': `/?${n}` })),
      ask({ ':path': '/large' }),
    ]);
    expect(answers.slice(0, 20).map((answer) => answer.text)).toEqual(
      Array.from({ length: 20 }, (_, n) => `?${n}`),
    );
    expect(answers.at(-1)?.text).toHaveLength(20e6);
    await expect.poll(() => world.engine.collectEgress().get(app.projectId) ?? 0).toBeGreaterThan(20e6);
  });

  it('hears of a client that leaves one request, and the others go on', async () => {
    const left = async () => Number((await ask({ ':path': '/left' })).text);
    const before = await left();
    const stream = session.request({ ':path': '/forever' });
    await once(stream, 'data');
    stream.close();
    await expect.poll(left).toBe(before + 1);
    const other = session.request({ ':path': '/forever' });
    await once(other, 'data');
    session.destroy();
    const answer = async () => (await world.ask(app, '/left')).text;
    await expect.poll(answer).toBe(String(before + 2));
  });

  it('that hangs up is answered for, also to who left', async () => {
    expect((await ask({ ':path': '/hang-up' })).status).toBe(502);
    const stream = session.request({ ':path': '/silent' });
    stream.on('error', () => {});
    await ask({ ':path': '/' });
    stream.close(constants.NGHTTP2_CANCEL);
    expect((await ask({ ':path': '/?still' })).text).toBe('?still');
  });

  it('goes on after clients that break a request off with an error, or their connection', async () => {
    for (const path of ['/forever', '/silent', '/upload']) {
      const stream = session.request({ ':path': path, ':method': 'POST' }, { endStream: false });
      stream.on('error', () => {});
      stream.write('x');
      await ask({ ':path': '/' });
      stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    }
    session.on('error', () => {});
    const last = session.request({ ':path': '/silent' }).on('error', () => {});
    await ask({ ':path': '/' });
    socket.destroy();
    await once(last, 'close');
    expect((await world.ask(app, '/?still', { host })).text).toBe('?still');
  });

  it('connects WebSockets by HTTP/1.1 over TLS', async () => {
    const webSocket = new WebSocket(`wss://${host}:${port}/`, {
      createConnection: () =>
        connect({ host: '127.0.0.1', port, servername: host, ca: authority.certificate }),
    });
    const [message] = await once(webSocket, 'message');
    expect(String(message)).toBe(`${host}:${port}`);
    webSocket.terminate();
  });
});
