import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2';
import { connect, createSecureContext, type SecureContext } from 'node:tls';
import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { createConsoleServer } from '../../src/http/console-server.ts';
import type { Patience } from '../../src/http/patience.ts';
import { createTlsServer, type TlsServer } from '../../src/http/tls-server.ts';
import { createSecretsBox } from '../../src/platform/secrets-box.ts';
import { createTestAuthority } from '../custom-domains/test-certificates.ts';

const HAS_OPENSSL = requireTool('openssl');
const MIB = 1024 * 1024;
const SHORT: Patience = { first: 300, most: 300, bytesPerSecond: 32 * 1024 };

let context: SecureContext;
let tls: TlsServer;
let server: Server;
let session: ClientHttp2Session;

beforeAll(async () => {
  if (!HAS_OPENSSL) return;
  const authority = await createTestAuthority();
  const { certificate, privateKey } = await authority.issue(['console.test']);
  context = createSecureContext({ cert: certificate, key: privateKey });
  await authority.close();
});
afterEach(async () => {
  session.destroy();
  await tls.close();
});

/** A connection by HTTP/2 to a console that answers so. */
async function open(answer: RequestListener): Promise<ClientHttp2Session> {
  const engine = { ownsHost: () => false, serve: () => {}, upgrade: () => {} };
  server = createConsoleServer(engine, answer, { patiences: { senders: SHORT, readers: SHORT } });
  const secrets = createSecretsBox(Buffer.alloc(32));
  const certificateFor = () => context;
  tls = createTlsServer({ server, certificateFor, secrets, log: pino({ level: 'silent' }) });
  const port = await tls.listen({ host: '127.0.0.1', port: 0 });
  const to = { host: '127.0.0.1', port, servername: 'console.test', ALPNProtocols: ['h2'] };
  session = connectHttp2(`https://console.test:${port}`, {
    createConnection: () => connect({ ...to, rejectUnauthorized: false }),
  });
  return session;
}

function post(path: string): ClientHttp2Stream {
  const stream = session.request({ ':method': 'POST', ':path': path });
  stream.on('error', () => {});
  return stream;
}

const statusOf = async (path: string) =>
  (await once(session.request({ ':path': path }), 'response'))[0][':status'];

describe.skipIf(!HAS_OPENSSL)('of one connection by HTTP/2', () => {
  test('a request whose body comes slowly is cut, and no other', async () => {
    await open((request, response) => void request.resume().once('end', () => response.end('all')));
    const slow = post('/');
    const timer = setInterval(() => slow.write('x'), 50);
    await once(slow, 'close');
    clearInterval(timer);
    expect(await statusOf('/')).toBe(200);
  });

  test('an answer that nobody reads is cut, and no other', async () => {
    await open((request, response) => {
      if (request.url === '/large') response.end(Buffer.alloc(8 * MIB));
      else response.end('small');
    });
    const cut = new Promise((resolve) => {
      server.once('request', (_request, response) => response.once('close', resolve));
    });
    const unread = session.request({ ':path': '/large' }).on('error', () => {});
    await once(unread, 'response');
    expect(await statusOf('/')).toBe(200);
    await cut;
    let read = 0;
    unread.on('data', (chunk) => {
      read += chunk.length;
    });
    await once(unread, 'close');
    expect(read).toBeLessThan(MIB);
    expect(session.destroyed).toBe(false);
  });

  test('what is sent after the answer is not waited for', async () => {
    await open((_request, response) => response.writeHead(413).end('too large'));
    const early = post('/');
    early.write(Buffer.alloc(MIB));
    const [answer] = await once(early, 'response');
    expect(answer[':status']).toBe(413);
    await once(early.resume(), 'close');
    expect(await statusOf('/')).toBe(413);
  });
});
