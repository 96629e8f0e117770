import { timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';

/**
 * A program that runs in a container on each other machine of a swarm, and tells what containers there use. It comes to
 * those machines as this one file, so it imports nothing but what Node.js has.
 */

/** What it finds in its container, and where it listens. */
export const AGENT_PLACES = { groups: '/cgroup', secret: 'token', port: 8080 };

/** Containers that it can be asked for at once: their ids fit into the head of a request. */
export const AGENT_CONTAINERS = 200;

/** What a container uses. */
export interface ContainerUse {
  /** Bytes, without pages of files that are given back whenever memory is short: as Docker counts. */
  memory: number;
  /** Milliseconds of processor time since the container began. */
  cpuMs: number;
}

/** As Docker makes them. */
const CONTAINER_ID = /^[0-9a-f]{64}$/;

/** Where Docker puts a container's group, with systemd and by itself. */
const placesOf = (id: string) => [join('system.slice', `docker-${id}.scope`), join('docker', id)];

/**
 * What a container uses by the control groups of its machine, version 1 or 2, that are found in a folder; undefined where
 * it has none.
 */
export async function readUse(groups: string, id: string): Promise<ContainerUse | undefined> {
  const read = existsSync(join(groups, 'cgroup.controllers')) ? readUnified : readSeparate;
  for (const place of placesOf(id)) {
    try {
      return await read(groups, place);
    } catch {
      // It is elsewhere, or has ended.
    }
  }
  return undefined;
}

async function readUnified(groups: string, place: string): Promise<ContainerUse> {
  const read = (name: string) => readFile(join(groups, place, name), 'utf8');
  const [usage, pages, cpu] = await Promise.all([
    read('memory.current'),
    read('memory.stat'),
    read('cpu.stat'),
  ]);
  return {
    memory: withoutFiles(usage, fieldOf(pages, 'inactive_file')),
    cpuMs: fieldOf(cpu, 'usage_usec') / 1000,
  };
}

async function readSeparate(groups: string, place: string): Promise<ContainerUse> {
  const read = (hierarchy: string, name: string) => readFile(join(groups, hierarchy, place, name), 'utf8');
  const [usage, pages, cpu] = await Promise.all([
    read('memory', 'memory.usage_in_bytes'),
    read('memory', 'memory.stat'),
    read('cpuacct', 'cpuacct.usage'),
  ]);
  return {
    memory: withoutFiles(usage, fieldOf(pages, 'total_inactive_file')),
    cpuMs: numberOf(cpu) / 1_000_000,
  };
}

function withoutFiles(usage: string, files: number): number {
  return Math.max(0, numberOf(usage) - files);
}

/** A line `name number` of several. */
function fieldOf(text: string, name: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  return numberOf(line?.slice(name.length + 1) ?? '');
}

function numberOf(text: string): number {
  if (!/^\d+\n?$/.test(text)) throw new Error('the kernel does not tell');
  return Number(text);
}

/**
 * Answers `GET /?ids=<id>,<id>` with the use of each that runs, by its id, to whoever shows the token: 401 without it, and
 * 400 for anything else.
 */
export function createFiguresAgent({ groups, token }: { groups: string; token: string }): Server {
  const expected = Buffer.from(`Bearer ${token}`);
  const isKnown = (shown = '') => {
    const given = Buffer.from(shown);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  return createServer(async (request, response) => {
    if (!isKnown(request.headers.authorization)) return void response.writeHead(401).end();
    const ids = request.method === 'GET' ? idsOf(request.url ?? '') : undefined;
    if (!ids) return void response.writeHead(400).end();
    const all = await Promise.all(ids.map(async (id) => [id, await readUse(groups, id)] as const));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(Object.fromEntries(all.filter(([, use]) => use))));
  });
}

function idsOf(address: string): string[] | undefined {
  const [, asked = ''] = /^\/\?ids=([0-9a-f,]+)$/.exec(address) ?? [];
  const ids = asked.split(',');
  return ids.length <= AGENT_CONTAINERS && ids.every((id) => CONTAINER_ID.test(id)) ? ids : undefined;
}

if (process.argv[1] === import.meta.filename) {
  const { groups, secret, port } = AGENT_PLACES;
  const token = readFileSync(join('/run/secrets', secret), 'utf8');
  createFiguresAgent({ groups, token }).listen(port);
}
