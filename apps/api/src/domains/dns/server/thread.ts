// The name server's thread: it holds the zones in memory and the sockets, so that neither a busy console delays
// answers nor a flood of questions the console.
import { type AddressInfo, isIPv6, SocketAddress } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { createCookieSecrets } from './cookie-secrets.ts';
import { createCookies } from './cookies.ts';
import { type Name, nameOf } from './names.ts';
import { createQueryCounts } from './query-counts.ts';
import { createResponder } from './responder.ts';
import { openTcp, TCP_LIMITS } from './tcp.ts';
import { ELSEWHERE, type FromThread, type ThreadSetup, type ToThread } from './thread-messages.ts';
import { createSignedAnswers } from './transfer/signed-answers.ts';
import { createTransferSources } from './transfer/transfer-sources.ts';
import { openUdp } from './udp.ts';
import { buildZone, type ZoneData } from './zone.ts';
import { createZoneSet } from './zone-set.ts';

// Only `startThread` runs this file, and gives it this.
const { host, port, udpFd, tcpFd, nameServers, serverId, cookieKey, counts }: ThreadSetup = workerData;

const zones = createZoneSet();
const sources = createTransferSources(zones);
const onAnswer = createQueryCounts(counts).add;
const responder = createResponder({
  zones,
  cookies: createCookies(createCookieSecrets(cookieKey)),
  serverId: Buffer.from(serverId),
  idleTime: TCP_LIMITS.idle,
  signed: createSignedAnswers({ zones, sources, onAnswer }),
  onAnswer,
  onError: (error) => tell({ kind: 'error', message: textOf(error) }),
});
/** Milliseconds between two looks for signatures to renew. */
const RENEWAL = 3_600_000;
setInterval(() => zones.renewSignatures(Date.now()), RENEWAL).unref();

interface Server {
  address(): AddressInfo | string | null;
  close(): Promise<void>;
}

let servers: Server[] = [];
/** Opening and closing follow each other. */
let last = Promise.resolve();

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function tell(message: FromThread): void {
  parentPort?.postMessage(message);
}

/** A zone that cannot be built stays as it was. */
function take(data: ZoneData): void {
  try {
    const zone = buildZone(data, nameServers);
    sources.put(zone, data.transfer);
    zones.put(zone);
  } catch (error) {
    tell({ kind: 'error', message: `zone ${data.domain}: ${textOf(error)}` });
  }
}

function remove(apex: Name): void {
  sources.remove(apex);
  zones.remove(apex);
}

async function close(): Promise<void> {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
}

/** Whoever made the sockets that were given may have had other settings. */
function isInPlace(server: Server): boolean {
  const at = server.address();
  const wanted = new SocketAddress({ address: host, port, family: isIPv6(host) ? 'ipv6' : 'ipv4' });
  return typeof at === 'object' && at?.port === wanted.port && at.address === wanted.address;
}

async function open(): Promise<void> {
  try {
    servers.push(await openUdp(responder, { host, port, fd: udpFd }));
    servers.push(await openTcp(responder, { host, port, fd: tcpFd }, TCP_LIMITS));
    if (!servers.every(isInPlace))
      throw Object.assign(new Error('other sockets were given'), { code: ELSEWHERE });
    tell({ kind: 'opened' });
  } catch (error) {
    await close();
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    tell({ kind: 'refused', code, message: textOf(error) });
  }
}

parentPort?.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'zones':
      for (const domain of message.removed) remove(nameOf(domain));
      for (const zone of message.changed) take(zone);
      return;
    case 'open':
      last = last.then(open);
      return;
    case 'close':
      last = last.then(close).then(() => parentPort?.close());
  }
});
