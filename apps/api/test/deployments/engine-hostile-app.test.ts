import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { DETECTED_SETTINGS } from '@nephos/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { isSandbox } from '../../src/domains/deployments/engine/isolation.ts';
import { type GitServer, startGitServer } from '../git-server.ts';
import { nodeApp } from './app-fixtures.ts';
import { createEngineWorld, type EngineWorld, type TestProject } from './engine-world.ts';
import { escapee, pidsOf, processesOf, uniqueSleep } from './running-processes.ts';

const tools = ['bwrap', 'ip', 'nft'].map(requireTool);
const mayRun = tools.every(Boolean) && process.getuid?.() === 0;

/** MB, and processes, that the hostile app is given. */
const MEMORY = 160;
const TASKS = 64;
const DISK = 80 * 1024 ** 2;

/** Does one hostile thing for each request and says what came of it. */
const HOSTILE = `
const fs = require('node:fs'), net = require('node:net'), { spawn } = require('node:child_process');
const { pathname, searchParams } = new URL(request.url, 'http://x');
const ask = (name) => searchParams.get(name);
const attempt = (work) => { try { return work(); } catch (error) { return error.code; } };
const answer = (value) => response.end(JSON.stringify(value));
if (pathname === '/read') answer(attempt(() => fs.statSync(ask('path')).isDirectory() ? fs.readdirSync(ask('path')) : fs.readFileSync(ask('path'), 'latin1')));
else if (pathname === '/write') answer(attempt(() => (fs.writeFileSync(ask('path'), 'x'), 'written')));
else if (pathname === '/kill') answer(attempt(() => process.kill(Number(ask('pid')), 'SIGKILL')));
else if (pathname === '/connect') {
  const to = ask('path') ? { path: '\0' + ask('path') } : { host: ask('host'), port: Number(ask('port')) };
  const socket = net.connect({ ...to, timeout: 1500 });
  socket.once('connect', () => (answer('connected'), socket.destroy()));
  socket.once('error', (error) => answer(error.code));
  socket.once('timeout', () => (answer('no answer'), socket.destroy()));
} else if (pathname === '/fork') {
  let failed = 0, started = 0;
  for (let n = 0; n < 200; n++) {
    const child = attempt(() => spawn('sleep', ['100'], { stdio: 'ignore' }));
    if (child?.pid) started += 1; else failed += 1;
    child?.on?.('error', () => {});
  }
  spawn('sh', ['-c', 'bomb() { bomb | bomb & }; bomb'], { stdio: 'ignore' }).on('error', () => {});
  answer({ failed, started });
} else if (pathname === '/shm') {
  // One piece again and again: what lies there is memory of the app, too, and all at once would be more than it has.
  const piece = Buffer.alloc(1e6);
  answer(attempt(() => { for (let n = 0; n < 70; n++) fs.appendFileSync('/dev/shm/x', piece); return 'written'; }));
  fs.rmSync('/dev/shm/x', { force: true });
}
else if (pathname === '/disk') setInterval(() => fs.writeFileSync(process.env.HOME + '/' + Math.random(), Buffer.alloc(5e6, 1)), 10);
else if (pathname === '/memory') { const all = []; setInterval(() => all.push(Buffer.alloc(20e6, 1)), 10); }
else answer({ pids: fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)), root: fs.readdirSync('/') });
`;

/** A socket without a file, which another network does not have. */
const HIDDEN = `nephos-test-${process.pid}`;

/** Says who it is, which a restart would change, and where. */
const VICTIM = `response.end(JSON.stringify({ id, port: process.env.PORT, file: __filename, home: process.env.HOME,
  addresses: Object.values(require('node:os').networkInterfaces()).flat().map(({ address }) => address) }));`;

describe.runIf(mayRun)('a hostile app', () => {
  let git: GitServer;
  let world: EngineWorld;
  let victim: TestProject;
  let hostile: TestProject;
  let deploymentId: string;
  const servers: Server[] = [];

  const listen = async (host: string | { path: string }) => {
    const server = createServer((socket) => socket.on('error', () => {}).end('open'));
    servers.push(server);
    const at = typeof host === 'string' ? { host, port: 0 } : host;
    await new Promise<void>((resolve) => server.listen(at, resolve));
    const address = server.address();
    return typeof address === 'object' && address ? address.port : 0;
  };
  const attack = async (path: string) => JSON.parse((await world.ask(hostile, path)).text);
  const read = (path: string) => attack(`/read?path=${encodeURIComponent(path)}`);
  const connect = (host: string, port: number | string) => attack(`/connect?host=${host}&port=${port}`);
  const ofVictim = async () => JSON.parse((await world.ask(victim)).text);

  let ofConsole: number;
  let given: number;
  let before: Awaited<ReturnType<typeof ofVictim>>;

  beforeAll(async () => {
    git = await startGitServer();
    given = await listen('127.0.0.1');
    ofConsole = await listen('::');
    await listen({ path: `\0${HIDDEN}` });
    const limits = { restartDelay: 10, appBytes: DISK, appDiskTime: 100 };
    world = await createEngineWorld({ ports: [given], limits });
    await git.createRepository('victim', nodeApp(VICTIM, { before: `const id = Math.random();` }));
    await git.createRepository('hostile', nodeApp(HOSTILE));
    victim = world.project(git.url('victim'), { variables: { SECRET: 'of-the-victim' } });
    const web = { name: 'web', command: '', instances: null, memory: MEMORY, cpu: 50, tasks: TASKS };
    hostile = world.project(git.url('hostile'), { settings: { ...DETECTED_SETTINGS, processes: [web] } });
    await world.deploy(victim);
    const { outcome, log, job } = await world.deploy(hostile);
    expect(outcome, log()).toEqual({ status: 'running' });
    deploymentId = job.deploymentId;
    before = await ofVictim();
  });

  afterAll(async () => {
    await world.close();
    await git.close();
    for (const server of servers) server.close();
  });

  // What the victim noticed of it: nothing.
  afterEach(async () => expect(await ofVictim()).toEqual(before));

  it('is in a sandbox, which is said', ({ skip }) => {
    if (!isSandbox(world.engine.isolation())) {
      const missing = world.engine.isolation().filter(({ holds }) => !holds);
      skip(`this system does not allow: ${missing.map(({ name }) => name).join(', ')}`);
    }
  });

  it("reads and writes no files but its own and the system's", async ({ skip }) => {
    if (!isSandbox(world.engine.isolation())) skip();
    const { root } = await attack('/');
    expect(root).not.toContain('root');
    expect(root).not.toContain('home');
    for (const path of [
      before.file,
      before.home,
      '/root',
      '/home',
      '/etc/shadow',
      `${world.dataDir}/apps/runs`,
    ]) {
      expect(await read(path), path).toBe('ENOENT');
    }
    expect(await read(`${world.dataDir}/apps/projects`)).toEqual([hostile.projectId]);
    expect(await read('/etc/passwd')).not.toContain('/bin/bash');
    for (const path of ['/x', '/usr/x', '/etc/x', `${world.dataDir}/apps/x`]) {
      expect(await attack(`/write?path=${path}`), path).toMatch(/^E(ROFS|ACCES)$/);
    }
    expect(await attack('/shm')).toBe('ENOSPC');
  });

  it('sees and ends no processes but its own, and no environment', async ({ skip }) => {
    if (!isSandbox(world.engine.isolation())) skip();
    const { pids } = await attack('/');
    expect(pids.length).toBeLessThan(10);
    for (const pid of pids) expect(await read(`/proc/${pid}/environ`)).not.toContain('of-the-victim');
    const [{ pid } = { pid: 0 }] = await processesOf(world.live.get(victim.projectId)?.deploymentId ?? '');
    expect(pid).toBeGreaterThan(0);
    expect(await read(`/proc/${pid}/environ`)).toBe('ENOENT');
    expect(await attack(`/kill?pid=${pid}`)).toBe('ESRCH');
    expect(await attack('/kill?pid=1')).toBe('EPERM');
  });

  it('reaches what it was given, and no other port of this machine or of a neighbour', async ({ skip }) => {
    if (!isSandbox(world.engine.isolation())) skip();
    expect(await connect('127.0.0.1', given)).toBe('connected');
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    // Those of one link are reached through an interface of the app's own.
    const own = addresses.map(({ address }) => (address.startsWith('fe80:') ? `${address}%25eth0` : address));
    expect(own.length).toBeGreaterThan(1);
    const ofDatabase = new URL(inject('testServer').adminUrl).port;
    const ports = [ofConsole, world.port, ofDatabase];
    const tried = own.flatMap((host) => ports.map(async (port) => [host, port, await connect(host, port)]));
    expect((await Promise.all(tried)).filter(([, , said]) => said === 'connected')).toEqual([]);
    for (const host of before.addresses) {
      expect(await connect(host, before.port), `the victim at ${host}`).not.toBe('connected');
    }
    expect(await attack(`/connect?path=${HIDDEN}`)).toBe('ECONNREFUSED');
    for (const host of ['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16'])
      expect(await connect(host, 80), host).toMatch(/^E(CONNREFUSED|HOSTUNREACH)$/);
    expect(await connect('fd00:ec2::254', 80)).toMatch(/^E(NETUNREACH|ADDRNOTAVAIL|HOSTUNREACH)$/);
  });

  it('starts no more processes than it may', async ({ skip }) => {
    if (!isSandbox(world.engine.isolation())) skip();
    const { started, failed } = await attack('/fork');
    expect(started).toBeLessThan(TASKS);
    expect(failed).toBeGreaterThan(100);
  });

  it('ends where it takes more memory or disk than it has, which is said', async ({ skip }) => {
    if (!isSandbox(world.engine.isolation())) skip();
    await world.engine.stopApp(hostile.projectId);
    const { outcome, log } = await world.deploy(hostile);
    expect(outcome, log()).toEqual({ status: 'running' });
    await world.ask(hostile, '/memory').catch(() => undefined);
    await expect.poll(log).toContain(`ran out of memory (${MEMORY} MB)`);
    await expect.poll(async () => (await world.ask(hostile)).status).toBe(200);
    await world.ask(hostile, '/disk').catch(() => undefined);
    await expect.poll(log).toContain('used more than 80 MB of disk');
  });

  it('leaves nothing behind, whatever session and environment it chose', async ({ skip }) => {
    if (!isSandbox(world.engine.isolation())) skip();
    const sleep = uniqueSleep();
    await git.createRepository('escapes', nodeApp('response.end("x")', { before: escapee(sleep) }));
    const project = world.project(git.url('escapes'));
    expect((await world.deploy(project)).outcome).toEqual({ status: 'running' });
    expect(await pidsOf(sleep)).toHaveLength(1);
    await world.engine.stopApp(project.projectId);
    expect(await pidsOf(sleep)).toEqual([]);
    expect(await processesOf(deploymentId)).toEqual([]);
  });
});
