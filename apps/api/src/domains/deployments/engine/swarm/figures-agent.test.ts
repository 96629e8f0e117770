import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGENT_CONTAINERS, createFiguresAgent, readUse } from './figures-agent.ts';

const ID = '5f'.repeat(32);
const TOKEN = 'a token';

/** As the kernel writes them, shortened. */
const UNIFIED = {
  'memory.current': '52428800\n',
  'memory.stat': 'anon 20971520\nfile 31457280\nactive_file 20971520\ninactive_file 10485760\n',
  'cpu.stat': 'usage_usec 1234567\nuser_usec 1000000\nsystem_usec 234567\n',
};
const SEPARATE = {
  'memory.usage_in_bytes': '52428800\n',
  'memory.stat': 'cache 1\ninactive_file 7\ntotal_cache 1\ntotal_inactive_file 10485760\n',
  'cpuacct.usage': '1234567000\n',
};
const USE = { memory: 41_943_040, cpuMs: 1234.567 };

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'nephos-groups-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function hierarchies(name: string, files: Record<string, string>): Promise<string> {
  const folder = join(root, name);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** Of version 2, with a container's files in a folder. */
function unified(name: string, place: string, files: Record<string, string> = UNIFIED): Promise<string> {
  const own = Object.entries(files).map(([file, text]) => [join(place, file), text]);
  return hierarchies(name, { 'cgroup.controllers': 'cpu memory\n', ...Object.fromEntries(own) });
}

function separate(name: string, place: string): Promise<string> {
  return hierarchies(name, {
    [join('memory', place, 'memory.usage_in_bytes')]: SEPARATE['memory.usage_in_bytes'],
    [join('memory', place, 'memory.stat')]: SEPARATE['memory.stat'],
    [join('cpuacct', place, 'cpuacct.usage')]: SEPARATE['cpuacct.usage'],
  });
}

describe('what a container uses', () => {
  test.each([
    ['version 2 and systemd', () => unified('2-systemd', `system.slice/docker-${ID}.scope`)],
    ['version 2', () => unified('2', `docker/${ID}`)],
    ['version 1 and systemd', () => separate('1-systemd', `system.slice/docker-${ID}.scope`)],
    ['version 1', () => separate('1', `docker/${ID}`)],
  ])('is read of control groups of %s', async (_, groups) => {
    expect(await readUse(await groups(), ID)).toEqual(USE);
  });

  test('is nothing, and not zero, where the kernel does not tell all of it', async () => {
    const { 'memory.current': _, ...files } = UNIFIED;
    expect(await readUse(await unified('2-no-memory', `docker/${ID}`, files), ID)).toBeUndefined();
    expect(await readUse(await unified('2-others', `docker/${'0'.repeat(64)}`), ID)).toBeUndefined();
  });

  test('is not less than nothing', async () => {
    const files = { ...UNIFIED, 'memory.current': '4096\n' };
    expect(await readUse(await unified('2-files', `docker/${ID}`, files), ID)).toMatchObject({ memory: 0 });
  });
});

describe('the agent', () => {
  let origin: string;
  let close: () => void;

  beforeAll(async () => {
    const groups = await unified('agent', `docker/${ID}`);
    // What ids that are paths would lead to.
    await unified('agent', 'secret');
    const server = createFiguresAgent({ groups, token: TOKEN }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    close = () => server.close();
  });
  afterAll(() => close());

  const ask = (path: string, authorization = `Bearer ${TOKEN}`, method = 'GET') =>
    fetch(origin + path, { method, headers: { authorization } });

  test('tells the use of what runs there', async () => {
    const response = await ask(`/?ids=${ID},${'0'.repeat(64)}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ [ID]: USE });
  });

  test.each(['', 'Bearer', `Bearer ${TOKEN}x`, 'Bearer a tokem', `Basic ${TOKEN}`, TOKEN])(
    'tells nobody anything who shows %j',
    async (authorization) => {
      const response = await ask(`/?ids=${ID}`, authorization);
      expect(response.status).toBe(401);
      expect(await response.text()).toBe('');
    },
  );

  test.each([
    ...['/', '/?ids=', '/?ids=..%2fsecret', '/?ids=../docker/secret', `/?ids=${ID},`, `/?ids=${ID}0`],
    ...[`/?ids=${ID.toUpperCase()}`, `/figures?ids=${ID}`, `/?ids=${ID}&more=1`],
    `/?ids=${Array(AGENT_CONTAINERS + 1).fill(ID)}`,
  ])('refuses %s', async (path) => {
    expect((await ask(path)).status).toBe(400);
  });

  test('refuses what does not ask, and answers as many as it says', async () => {
    expect((await ask(`/?ids=${ID}`, undefined, 'POST')).status).toBe(400);
    expect((await ask(`/?ids=${Array(AGENT_CONTAINERS).fill(ID)}`)).status).toBe(200);
  });
});
