import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { Agent, createServer, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../../tools/server-process.mjs';
import type { AcmeSettings } from '../../src/core/settings.ts';
import { createTestAuthority } from '../custom-domains/test-certificates.ts';

/**
 * What the door to pebble does: `limited` refuses new orders, `revoked` those that are to be finished, `slow` leaves these
 * until it is well, `away` hangs up on everything.
 */
type Mood = 'well' | 'limited' | 'revoked' | 'slow' | 'away';

/** Pebble, an authority that forgets all when it ends, behind a door that can be told to misbehave. */
export interface Pebble {
  /** For a server that is to know it. */
  settings: AcmeSettings;
  /** Begins to look at names, at this port of theirs. */
  start(httpPort: number): Promise<void>;
  mood: Mood;
  /** In which words it is `limited`. */
  limit: string;
  /** When it wants renewals (RFC 9773), which Debian's version knows nothing of; undefined: it tells nothing. */
  renewals: { start: string; end: string } | undefined;
  /** What was asked, or said to be replaced, of certificates by their names there. */
  named: { asked: string[]; replaced: string[] };
  /** Who vouches for what it issues, as PEM. */
  root(): Promise<string>;
  stop(): Promise<void>;
}

/** It refuses this name, and those below it. */
export const BLOCKED = 'blocked.test';
/** Seconds that `limited` asks to wait. */
export const WAIT = 7200;

const RENEWALS = '/renewals/';
const BINDING = { kid: 'kid-1', hmacKey: 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W' };

const LIMITED = 'urn:ietf:params:acme:error:rateLimited';
const LIMIT_OF_NAME = 'Too many certificates already issued for this exact set of domains.';

const REVOKED = JSON.stringify({
  type: 'urn:ietf:params:acme:error:orderNotReady',
  detail: 'The authorization of this order was revoked.',
});

/** Prepares one that asks the name server at `dnsPort`. */
export async function createPebble(dnsPort: number): Promise<Pebble> {
  const folder = await mkdtemp(join(tmpdir(), 'nephos-pebble-'));
  const authority = await createTestAuthority();
  const { certificate, privateKey } = await authority.issue(['localhost']);
  const [port, managementPort, frontPort] = [await freePort(), await freePort(), await freePort()];
  const at = (name: string) => join(folder, name);
  await writeFile(at('own.pem'), certificate);
  await writeFile(at('own.key'), privateKey);
  await writeFile(at('ca.pem'), authority.certificate);

  const agent = new Agent({ ca: authority.certificate, keepAlive: false });
  const front = createServer({ cert: certificate, key: privateKey }, async (from, answer) => {
    if (pebble.mood === 'away') return void from.socket.destroy();
    if (pebble.mood === 'limited' && from.url?.startsWith('/order-plz')) {
      answer.writeHead(429, { 'content-type': 'application/problem+json', 'retry-after': String(WAIT) });
      return void answer.end(JSON.stringify({ type: LIMITED, detail: pebble.limit }));
    }
    if (pebble.mood === 'revoked' && from.url?.startsWith('/finalize-order')) {
      answer.writeHead(403, { 'content-type': 'application/problem+json' });
      return void answer.end(REVOKED);
    }
    while (pebble.mood === 'slow' && from.url?.startsWith('/finalize-order')) await pause(50);
    const { method, url: path = '', headers } = from;
    if (pebble.renewals && path.startsWith(RENEWALS)) {
      pebble.named.asked.push(path.slice(RENEWALS.length));
      answer.writeHead(200, { 'content-type': 'application/json', 'retry-after': '21600' });
      return void answer.end(JSON.stringify({ suggestedWindow: pebble.renewals }));
    }
    if (pebble.renewals && path === '/dir') {
      const directory = JSON.parse(await ask(`https://localhost:${port}/dir`, headers));
      answer.writeHead(200, { 'content-type': 'application/json' });
      return void answer.end(
        JSON.stringify({ ...directory, renewalInfo: `https://${headers.host}${RENEWALS}` }),
      );
    }
    const to = request({ host: 'localhost', port, method, path, headers, agent }, (found) => {
      answer.writeHead(found.statusCode ?? 502, found.headers);
      found.pipe(answer);
    });
    to.on('error', () => answer.destroy());
    from.pipe(to);
    if (path === '/order-plz') {
      const { replaces } = JSON.parse(String(Buffer.from(JSON.parse(await text(from)).payload, 'base64url')));
      if (replaces) pebble.named.replaced.push(replaces);
    }
  });
  let child: ReturnType<typeof spawn> | undefined;

  const pebble: Pebble = {
    settings: {
      directory: `https://localhost:${frontPort}/dir`,
      email: 'admin@example.test',
      caFile: at('ca.pem'),
      binding: BINDING,
    },
    mood: 'well',
    limit: LIMIT_OF_NAME,
    renewals: undefined,
    named: { asked: [], replaced: [] },
    async start(httpPort) {
      const config = {
        listenAddress: `127.0.0.1:${port}`,
        managementListenAddress: `127.0.0.1:${managementPort}`,
        ...{ certificate: at('own.pem'), privateKey: at('own.key'), httpPort, tlsPort: 1 },
        ...{
          externalAccountBindingRequired: true,
          externalAccountMACKeys: { [BINDING.kid]: BINDING.hmacKey },
        },
        ...{ domainBlocklist: [BLOCKED], certificateValidityPeriod: 30 * 24 * 60 * 60 },
      };
      await writeFile(at('config.json'), JSON.stringify({ pebble: config }));
      const env = { PATH: process.env.PATH, PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '0' };
      const parameters = ['-strict', '-config', at('config.json'), '-dnsserver', `127.0.0.1:${dnsPort}`];
      child = spawn('pebble', parameters, { env, stdio: process.env.TEST_LOG ? 'inherit' : 'ignore' });
      await once(front.listen(frontPort, '127.0.0.1'), 'listening');
      await answering();
    },
    root: () => ask(`https://localhost:${managementPort}/roots/0`),
    async stop() {
      front.closeAllConnections();
      front.close();
      const ended = child && once(child, 'exit');
      child?.kill();
      await ended;
      await authority.close();
      await rm(folder, { recursive: true, force: true });
    },
  };

  async function ask(url: string, headers: OutgoingHttpHeaders = {}): Promise<string> {
    const [answer] = await once(request(url, { agent, headers }).end(), 'response');
    return text(answer);
  }

  async function answering(): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        return void (await ask(`https://localhost:${port}/dir`));
      } catch (error) {
        if (tries === 100) throw error;
        await pause(100);
      }
    }
  }

  return pebble;
}
