import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { copyApps } from '../../src/backup/sources/folders.ts';
import { connectDocker } from '../../src/domains/deployments/engine/container/connect-docker.ts';
import { findImage } from '../../src/domains/deployments/engine/container/images.ts';
import { loadKeptImage } from '../../src/domains/deployments/engine/container/kept-image.ts';
import { releaseFolders } from '../../src/domains/deployments/engine/folders.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { openParts } from './take-part.ts';
import { openFolder } from './whole-cloud.ts';

let home: string;
let world: World;
let ada: Person;
let socket: string;
/** What Docker says of an archive, which it has read. */
let load: (request: IncomingMessage, response: ServerResponse) => void;
let loads = 0;
let hasImage = true;
/** Answers that it has left before it dies. */
let answers = Number.POSITIVE_INFINITY;

const IMAGE = { Id: 'sha256:1', Config: {}, Architecture: 'amd64', Size: 1 };

/** Docker's side of its interface, as far as these ask it. */
const docker = createServer(async (request, response) => {
  const { url = '' } = request;
  answers -= 1;
  if (answers < 0) response.socket?.destroy();
  else if (url.startsWith('/images/load')) {
    loads += 1;
    load(request, response);
  } else if (url.endsWith('/get')) response.end('saved by Docker');
  else if (url === '/info') response.end('{}');
  else if (hasImage) response.end(JSON.stringify(IMAGE));
  else response.writeHead(404).end('{}');
});

beforeAll(async () => {
  home = openFolder();
  socket = join(home, 'docker.sock');
  docker.listen(socket);
  await once(docker, 'listening');
  world = await createWorld();
  ada = await world.as('Ada');
});
afterAll(async () => {
  await world?.close();
  docker.closeAllConnections();
  docker.close();
  rmSync(home, { recursive: true, force: true });
});

async function addProject(slug = 'shop'): Promise<string> {
  const { id } = await world.deps.db
    .insertInto('projects')
    .values({
      ...{ ownerId: ada.user.id, name: 'Shop', slug, description: '' },
      ...{ repositoryUrl: '', branch: '', framework: 'nodejs', template: null },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

it('takes an image once: as it was kept, else from Docker, and from the backup before where that is away', async () => {
  const projectId = await addProject();
  const dataDir = join(home, 'data');
  const settings = { ...world.deps.settings, dataDir, deployRuntime: 'docker' as const };
  const of = (release: string) => releaseFolders(join(dataDir, 'apps'), projectId, release);
  const { image, manifest } = of('first');
  const process = { name: 'web', argv: [], expand: false, label: '' };
  const serve = { kind: 'container', image: 'elsewhere.test/shop', processes: [process], port: null };
  const text = JSON.stringify(serve);
  put(manifest, text);
  put(image, 'kept');
  put(of('second').manifest, text.slice(1));
  const path = image.slice(join(dataDir, 'apps/').length);
  const damaged =
    'The release second of shop was taken without its image, if it has one: its release.json is damaged.';
  const parts = await openParts(join(home, 'parts'));
  const take = (dockerHost: string, more?: Parameters<typeof parts.take>[1]) =>
    parts.take((copying) => copyApps(copying, { ...settings, dockerHost }, world.deps.db), more);
  const away = `unix://${home}/none`;

  const kept = await take(away);
  expect(readFileSync(join(await parts.bringBack(kept, 'kept'), path), 'utf8')).toBe('kept');
  // Docker loads it while the folders are walked, which is the last moment that it could be taken with them.
  const loaded = await take(`unix://${socket}`, {
    told: (bytes) => bytes === text.length && rmSync(image, { force: true }),
  });
  expect(await parts.pathsIn(loaded)).toSatisfy(
    (paths: string[]) => paths.filter((found) => found === path).length === 1,
  );
  const again = await take(away, { before: loaded });
  for (const taken of [kept, loaded, again]) expect(taken.missing).toEqual([damaged]);
  expect(readFileSync(join(await parts.bringBack(again, 'again'), path), 'utf8')).toBe('saved by Docker');
});

it('waits for Docker once where that dies meanwhile, and says so', async () => {
  const projectId = await addProject('dying');
  const own = { ownerId: ada.user.id, projectId, size: 1 };
  const disks = ['one', 'two', 'three'].map((name) => ({ ...own, name, path: name }));
  await world.deps.db.insertInto('projectDisks').values(disks).execute();
  const settings = { ...world.deps.settings, dataDir: join(home, 'dying'), deployRuntime: 'docker' as const };
  mkdirSync(join(settings.dataDir, 'apps'), { recursive: true });
  const parts = await openParts(join(home, 'parts-dying'));
  answers = 1;
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const { missing } = await parts.take((copying) => {
      // Each wait seems to be over at once.
      const clock = setInterval(() => vi.setSystemTime(Date.now() + 60_000), 100);
      return copyApps(copying, { ...settings, dockerHost: `unix://${socket}` }, world.deps.db).finally(() =>
        clearInterval(clock),
      );
    });
    expect(missing).toEqual([
      'The disk one of dying was not taken: socket hang up',
      'What else Docker has of apps was not taken: it stopped responding.',
    ]);
  } finally {
    vi.useRealTimers();
    answers = Number.POSITIVE_INFINITY;
  }
});

function keep(name: string) {
  const file = join(home, name, 'image.tar');
  put(file, 'an archive');
  const client = connectDocker(socket);
  [loads, hasImage] = [0, false];
  return { docker: client, file, find: () => findImage(client, 'kept') };
}

const NEVER = new AbortController().signal;

it('loads a kept image once for all who wait, and says what Docker refuses', async () => {
  const kept = keep('shared');
  load = (request, response) => {
    request.resume().on('end', () => response.end('{"error":"no space left on device"}\n'));
  };
  expect(await loadKeptImage(kept, NEVER)).toBe('no space left on device');
  expect(existsSync(kept.file)).toBe(true);
  load = (request, response) => {
    request.resume().on('end', () => {
      hasImage = true;
      response.end('{"stream":"Loaded image: kept"}\n');
    });
  };
  loads = 0;
  const all = Array.from({ length: 3 }, () => loadKeptImage(kept, NEVER));
  expect(await Promise.all(all)).toEqual(['', '', '']);
  expect(loads).toBe(1);
  expect(existsSync(kept.file)).toBe(false);
});

it('ends a load once nobody waits for it any more', async () => {
  const kept = keep('ended');
  const begun = Promise.withResolvers<void>();
  const cut = Promise.withResolvers<void>();
  load = (_request, response) => {
    response.on('close', cut.resolve);
    begun.resolve();
  };
  const [first, second] = [new AbortController(), new AbortController()];
  const waiting = [first, second].map(({ signal }) => loadKeptImage(kept, signal).catch(String));
  await begun.promise;
  first.abort('stopped');
  expect(await waiting[0]).toBe('stopped');
  expect(loads).toBe(1);
  second.abort('stopped too');
  expect(await waiting[1]).toBe('stopped too');
  await cut.promise;
  expect(existsSync(kept.file)).toBe(true);
});
