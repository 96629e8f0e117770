import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type AppHost, NO_HOSTS } from '../../src/domains/deployments/engine/serve/app-hosts.ts';
import { type GitServer, startGitServer } from '../git-server.ts';
import { builtSite, staticSite } from './app-fixtures.ts';
import { ECHO_APP } from './echo-app.ts';
import { createEngineWorld, type EngineWorld, type TestProject } from './engine-world.ts';

let git: GitServer;
let world: EngineWorld;
let app: TestProject;

/** Host names of apps' own. */
const hosts = new Map<string, AppHost>();

beforeAll(async () => {
  git = await startGitServer();
  world = await createEngineWorld({
    hosts: { ...NO_HOSTS, find: (host) => hosts.get(host) },
    limits: { headersTime: 1000 },
    env: { RATE_LIMITS: 'on' },
  });
  await git.createRepository('echo', ECHO_APP);
  app = world.project(git.url('echo'));
  const { outcome, log } = await world.deploy(app);
  expect(outcome, log()).toEqual({ status: 'running' });
});

afterAll(async () => {
  await world.close();
  await git.close();
});

it('counts what leaves for clients', async () => {
  world.engine.collectEgress();
  const { text } = await world.ask(app, '/large');
  await expect.poll(() => world.engine.collectEgress().get(app.projectId) ?? 0).toBeGreaterThan(text.length);
});

describe('hosts', () => {
  it.each([
    ['x.localhost', true],
    ['X.LocalHost:3000', true],
    ['x.localhost.', true],
    ['localhost', false],
    ['localhost:3000', false],
    ['x.localhost.evil.com', false],
    ['127.0.0.1', false],
    [undefined, false],
  ])('%s: %s', (host, owned) => expect(world.engine.ownsHost(host)).toBe(owned));

  it('says why there is no app', async () => {
    const nobody = world.project('');
    expect(await world.ask(nobody)).toMatchObject({
      status: 404,
      text: expect.stringContaining('No app here'),
    });
    world.absences.set(nobody.slug, 'deploying');
    const deploying = await world.ask(nobody);
    expect(deploying).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5', 'cache-control': 'no-store' },
    });
  });
});

describe('requests', () => {
  it('passes an answer on as it is, without what belongs to one connection', async () => {
    const answer = await world.ask(app, '/any?x=%20y&z');
    expect(answer).toMatchObject({ status: 418, text: '?x=%20y&z', headers: { 'x-twice': 'a, b' } });
    expect(answer.headers.connection).not.toContain('x-hop');
  });

  it('says who asks, whatever the client claims', async () => {
    const claims = { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-proto': 'https', forwarded: 'for=1.2.3.4' };
    const hop = {
      connection: 'x-secret, close',
      'x-secret': '1',
      te: 'trailers',
      'proxy-authorization': 'x',
    };
    const { text } = await world.ask(app, '/headers', { headers: { ...claims, ...hop } });
    const headers = JSON.parse(text);
    const host = `${app.slug}.localhost:${world.port}`;
    expect(headers).toMatchObject({
      host,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': host,
    });
    for (const name of ['forwarded', 'x-secret', 'te', 'proxy-authorization'])
      expect(headers[name]).toBeUndefined();
  });

  it('drops cookies for other hosts', async () => {
    for (const domain of ['localhost', '.localhost', 'other.localhost', 'LOCALHOST']) {
      const { headers } = await world.ask(app, `/cookies?domain=${domain}`);
      expect(headers['set-cookie']).toEqual(['own=1; Path=/']);
    }
    const own = await world.ask(app, `/cookies?domain=${app.slug}.localhost`);
    expect(own.headers['set-cookie']).toHaveLength(2);
  });

  it('streams large bodies both ways', async () => {
    expect((await world.ask(app, '/large')).text.length).toBe(20e6);
    const request = httpRequest({
      port: world.port,
      path: '/upload',
      method: 'POST',
      headers: { host: `${app.slug}.localhost` },
    });
    for (let index = 0; index < 20; index++) request.write(Buffer.alloc(1e6));
    request.end();
    const [response] = await once(request, 'response');
    const [size] = await once(response.setEncoding('utf8'), 'data');
    expect(size).toBe('20000000');
  });

  it('tells the app that a client has gone', async () => {
    const request = httpRequest({
      port: world.port,
      path: '/forever',
      headers: { host: `${app.slug}.localhost` },
    }).end();
    const [response] = await once(request, 'response');
    await once(response, 'data');
    request.on('error', () => {});
    response.on('error', () => {});
    request.destroy();
    await expect.poll(async () => (await world.ask(app, '/left')).text).toBe('1');
  });

  it('answers for an app that does not', async () => {
    expect((await world.ask(app, '/hang-up')).status).toBe(502);
    expect((await world.ask(app, '/silent')).status).toBe(504);
  });

  it('connects WebSockets', async () => {
    const host = `${app.slug}.localhost:${world.port}`;
    const socket = new WebSocket(`ws://127.0.0.1:${world.port}/`, { headers: { host } });
    const [message] = await once(socket, 'message');
    expect(String(message)).toBe(host);
    socket.terminate();
  });

  it('refuses a WebSocket to nobody', async () => {
    const socket = connect(world.port, '127.0.0.1');
    socket.write(
      'GET / HTTP/1.1\r\nHost: nobody.localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 404 /);
  });
});

describe('host names of their own', () => {
  const OWN = 'shop.example.test';
  const WWW = `www.${OWN}`;
  const PLAIN = { slug: '', redirectTo: null, httpsUntil: 0 };
  beforeAll(() => {
    hosts.set(OWN, { ...PLAIN, slug: app.slug });
    hosts.set(WWW, { ...PLAIN, slug: app.slug, redirectTo: OWN });
  });
  afterAll(() => hosts.clear());

  it('are never the console, whose name may have been one before', () => {
    hosts.set('localhost', { ...PLAIN, slug: app.slug });
    expect(world.engine.ownsHost(`localhost:${world.port}`)).toBe(false);
    hosts.delete('localhost');
  });

  it('lead to the app as its address does, and are counted as such', async () => {
    for (const host of [OWN, `Shop.Example.test.:${world.port}`]) {
      expect(world.engine.ownsHost(host)).toBe(true);
      world.engine.collectEgress();
      const { text } = await world.ask(app, '/headers', { host });
      expect(JSON.parse(text)).toMatchObject({ host, 'x-forwarded-host': host });
      await expect
        .poll(() => world.engine.collectEgress().get(app.projectId) ?? 0)
        .toBeGreaterThan(text.length);
    }
    const { headers } = await world.ask(app, `/cookies?domain=${OWN}`, { host: OWN });
    expect(headers['set-cookie']).toHaveLength(2);
  });

  it('connect WebSockets, those that redirect as well', async () => {
    for (const host of [OWN, WWW]) {
      const socket = new WebSocket(`ws://127.0.0.1:${world.port}/`, { headers: { host } });
      const [message] = await once(socket, 'message');
      expect(String(message)).toBe(host);
      socket.terminate();
    }
  });

  it.each([
    [WWW, '/a/b?c=%20d&e', `http://${OWN}/a/b?c=%20d&e`],
    [`${WWW}:8080`, '/', `http://${OWN}:8080/`],
    [WWW, '//evil.test/', `http://${OWN}//evil.test/`],
    [WWW, '*', `http://${OWN}/`],
  ])('redirect %s%s to %s', async (host, path, location) => {
    const method = path === '*' ? 'OPTIONS' : 'POST';
    const headers = { 'x-forwarded-proto': 'https' };
    expect(await world.ask(app, path, { host, method, headers })).toMatchObject({
      status: 308,
      headers: { location, 'cache-control': 'no-store' },
    });
  });

  it('that nobody has are not of an app', () => {
    for (const host of [`x.${OWN}`, 'example.test', `${OWN}.evil.test`, `not${OWN}`]) {
      expect(world.engine.ownsHost(host), host).toBe(false);
    }
  });

  it('say why there is no app', async () => {
    const nobody = world.project('');
    hosts.set(OWN, { ...PLAIN, slug: nobody.slug });
    world.absences.set(nobody.slug, 'stopped');
    expect(await world.ask(nobody, '/', { host: OWN })).toMatchObject({
      status: 503,
      text: expect.stringContaining('stopped by its owner'),
    });
  });
});

describe('sites', () => {
  let site: TestProject;
  beforeAll(async () => {
    await git.createRepository('pages', { ...staticSite('<h1>Home</h1>'), '.env': 'SECRET=1' });
    site = world.project(git.url('pages'), { framework: 'static' });
    expect((await world.deploy(site)).outcome).toEqual({ status: 'running' });
  });

  it('serves files, folders and its own 404 page', async () => {
    expect(await world.ask(site, '/style.css')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/css' },
    });
    expect(await world.ask(site, '/docs')).toMatchObject({ status: 301, headers: { location: '/docs/' } });
    expect(await world.ask(site, '/docs/')).toMatchObject({ text: '<h1>Docs</h1>' });
    expect(await world.ask(site, '/none')).toMatchObject({ status: 404, text: '<h1>Own 404</h1>' });
    expect((await world.ask(site, '/', { method: 'POST' })).status).toBe(405);
  });

  it('serves nothing beside the site', async () => {
    for (const path of [
      '/.git/config',
      '/.env',
      '/../release.json',
      '/..%2f..%2frelease.json',
      '/%2e%2e/release.json',
    ]) {
      expect((await world.ask(site, path)).status, path).toBe(404);
    }
  });

  it.each([
    ['bytes=0-3', 206, '<h1>'],
    ['bytes=5-3', 200, '<h1>Home</h1>'],
    ['bytes=-4', 200, '<h1>Home</h1>'],
    ['bytes=0-0', 200, '<h1>Home</h1>'],
    ['bytes=999-', 416, ''],
    ['lines=1-2', 200, '<h1>Home</h1>'],
  ])('range %s', async (range, status, text) => {
    expect(await world.ask(site, '/', { headers: { range } })).toMatchObject({ status, text });
  });

  it('revalidates', async () => {
    const { headers } = await world.ask(site);
    const again = await world.ask(site, '/', { headers: { 'if-none-match': String(headers.etag) } });
    expect(again.status).toBe(304);
  });

  it('gives navigations of a single page its page', async () => {
    await git.createRepository('single', builtSite('<div id=app>'));
    const single = world.project(git.url('single'), { framework: 'static' });
    await world.deploy(single);
    const navigation = { headers: { accept: 'text/html,*/*' } };
    expect(await world.ask(single, '/deep/link', navigation)).toMatchObject({
      status: 200,
      text: '<div id=app>',
    });
    expect((await world.ask(single, '/assets/none.js')).status).toBe(404);
    expect((await world.ask(single, '/assets/app.js')).status).toBe(200);
  });
});

it('an address that asks for apps that are not there is told to wait, and reaches those that are', async () => {
  const nobody = world.project('');
  const statuses: number[] = [];
  for (let round = 0; round < 31; round += 1) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => world.ask(nobody)));
    statuses.push(...answers.map(({ status }) => status));
  }
  expect(new Set(statuses)).toEqual(new Set([404, 429]));
  expect(await world.ask(nobody)).toMatchObject({
    status: 429,
    headers: { 'retry-after': '60' },
    text: expect.stringContaining('Too many requests'),
  });
  expect((await world.ask(app, '/any')).status).toBe(418);
});

it('whoever visits apps before the server knows which there are is told to come back, as often as they like', async () => {
  const statuses: number[] = [];
  const starting = await createEngineWorld({
    env: { RATE_LIMITS: 'on' },
    async whileStarting(ask) {
      for (let visit = 0; visit < 310; visit += 1) statuses.push((await ask('any.localhost')).status);
      expect((await ask('any.localhost')).headers['retry-after']).toBe('2');
    },
  });
  try {
    expect(new Set(statuses)).toEqual(new Set([503]));
    expect((await starting.ask(starting.project(''))).status).toBe(404);
  } finally {
    await starting.close();
  }
});
