import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { Bucket, BucketSite, CustomDomain, Project } from '@nephos/contracts';
import { MAX_CUSTOM_DOMAINS } from '@nephos/contracts/constants';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkDue } from '../../src/domains/custom-domains/check.ts';
import type { PublicDns } from '../../src/platform/public-dns.ts';
import { clientFor, keyFor } from '../storage/s3-world.ts';
import { createWorld, type Person, type World } from '../world.ts';

const NOWHERE = '00000000-0000-7000-8000-000000000000';
const SITE = 'www.example.test';
const PEM = { certificate: '-----BEGIN CERTIFICATE-----', privateKey: '-----BEGIN PRIVATE KEY-----' };

let world: World;
let ada: Person;
let bob: Person;
let bucket: Bucket;

/** What the internet has. */
const texts = new Map<string, string[]>();
const addresses = new Map<string, string[]>();
const publicDns: PublicDns = {
  txt: async (name) => texts.get(name) ?? [],
  addresses: async (name, family) => (family === 6 ? [] : (addresses.get(name) ?? [])),
};

beforeAll(async () => {
  world = await createWorld({
    running: true,
    overrides: { publicDns },
    settings: { publicUrl: new URL('http://console.nephos.test:3000'), appsDomain: 'apps.nephos-a.test' },
  });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
  bucket = await ada.rpc.buckets.create.mutate({ name: 'pages', isPublic: true });
  const s3 = clientFor(world, await keyFor(ada));
  for (const [Key, Body, more] of [
    ['index.html', '<h1>Home</h1>', { ContentType: 'text/html' }],
    ['404.html', '<h1>Lost</h1>', { ContentType: 'text/html' }],
    ['docs/index.html', 'Docs', { ContentType: 'text/html; charset=iso-8859-1' }],
    ['app.js', 'alert(1)', { ContentType: 'text/javascript', CacheControl: 'max-age=60' }],
    ['naïve “plan” 100%.txt', 'Plan', { ContentType: 'text/plain', Metadata: { secret: 'x' } }],
  ] as const) {
    await s3.send(new PutObjectCommand({ Bucket: 'pages', Key, Body, ...more }));
  }
});
afterAll(() => world.close());

interface Seen {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Asks at a host as its visitors do. */
function visit(
  path: string,
  { host = SITE, method = 'GET', headers = {} }: { host?: string; method?: string; headers?: object } = {},
): Promise<Seen> {
  const { hostname, port } = new URL(world.url);
  return new Promise((resolve, reject) => {
    const asked = httpRequest({ hostname, port, path, method, headers: { ...headers, host } }, (answer) => {
      text(answer).then(
        (body) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }),
        reject,
      );
    });
    asked.on('error', reject).end();
  });
}

function site(person: Person, id: string): Promise<BucketSite> {
  return person.rpc.bucketSites.get.query({ id });
}

async function addProven(person: Person, id: string, domain: string): Promise<CustomDomain> {
  const added = await person.rpc.bucketSites.addDomain.mutate({ id, domain });
  texts.set(added.verification.name, [added.verification.value]);
  return person.rpc.bucketSites.checkDomain.mutate({ id, domain });
}

describe('a site', () => {
  test('is off until it is turned on for a public bucket, and is its owner’s alone', async () => {
    expect(await site(ada, bucket.id)).toEqual({
      ...{ index: null, notFound: null, domains: [], addresses: [], served: [], servesHttps: false },
      target: 'sites.apps.nephos-a.test',
    });
    const route = `/api/buckets/${bucket.id}/site`;
    for (const [call, body] of [
      [`GET ${route}`],
      [`PUT ${route}`, {}],
      [`DELETE ${route}`],
      [`POST /api/buckets/${bucket.id}/domains`, { domain: SITE }],
      [`POST /api/buckets/${bucket.id}/domains/${SITE}/check`],
      [`PATCH /api/buckets/${bucket.id}/domains/${SITE}`, { redirects: true }],
      [`GET /api/buckets/${bucket.id}/domains/${SITE}/dns-records`],
      [`PUT /api/buckets/${bucket.id}/domains/${SITE}/certificate`, PEM],
      [`PATCH /api/buckets/${bucket.id}/domains/${SITE}/certificate`, { httpsOnly: true }],
      [`DELETE /api/buckets/${bucket.id}/domains/${SITE}/certificate`],
      [`POST /api/buckets/${bucket.id}/domains/${SITE}/certificate/issue`],
      [`POST /api/buckets/${bucket.id}/dns-records`, { name: SITE }],
      [`DELETE /api/buckets/${bucket.id}/domains/${SITE}`],
    ] as const) {
      // What this server lacks altogether is said before anybody's things are looked for, and so is whose zone a name is in.
      const status =
        /certificate$/.test(call) && call.startsWith('PUT') ? 503 : call.endsWith('issue') ? 503 : 404;
      expect(await bob.rest(call, { body }), call).toMatchObject({ status });
      expect(await world.anyone.rest(call, { body }), call).toMatchObject({ status: 401 });
    }
    expect(await ada.rest(`GET /api/buckets/${NOWHERE}/site`)).toMatchObject({ status: 404 });

    const hidden = await ada.rpc.buckets.create.mutate({ name: 'hidden-pages' });
    expect(await ada.rest(`PUT /api/buckets/${hidden.id}/site`, { body: {} })).toMatchObject({
      status: 409,
      body: { code: 'NOT_PUBLIC', message: 'hidden-pages is private. Make it public first.' },
    });
    for (const body of [{ index: 'a/b.html' }, { index: '' }, { notFound: '/404.html' }, { notFound: '' }]) {
      expect(await ada.rest(`PUT ${route}`, { body })).toMatchObject({ status: 400 });
    }
    const on = await ada.rest(`PUT ${route}`, { body: {} });
    expect(on).toMatchObject({ status: 200, body: { index: 'index.html', notFound: '404.html' } });
    expect(await ada.rpc.bucketSites.set.mutate({ id: bucket.id, notFound: null })).toMatchObject({
      notFound: null,
    });
    await ada.rpc.bucketSites.set.mutate({ id: bucket.id });
  });

  test('answers at a domain once that is proven, with index pages and types as they were stored', async () => {
    const added = await ada.rest(`POST /api/buckets/${bucket.id}/domains`, { body: { domain: SITE } });
    expect(added).toMatchObject({ status: 201, body: { domain: SITE, status: 'pending', isPrimary: true } });
    expect(world.deps.apps.ownsHost(SITE)).toBe(false);
    const { verification } = added.body as CustomDomain;
    texts.set(verification.name, [verification.value]);
    addresses.set('sites.apps.nephos-a.test', ['192.0.2.7']);
    addresses.set(SITE, ['192.0.2.7']);
    const route = `POST /api/buckets/${bucket.id}/domains/${SITE}/check`;
    expect(await ada.rest(route)).toMatchObject({
      status: 200,
      body: { status: 'active', reason: '', pointsHere: true },
    });
    await expect.poll(() => world.deps.apps.ownsHost(SITE)).toBe(true);
    expect(await site(ada, bucket.id)).toMatchObject({
      addresses: ['192.0.2.7'],
      domains: [{ domain: SITE, status: 'active' }],
    });

    const home = await visit('/');
    expect(home).toMatchObject({ status: 200, body: '<h1>Home</h1>' });
    expect(home.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
      'accept-ranges': 'bytes',
    });
    // An origin of its own, where its scripts may run.
    expect(home.headers).not.toHaveProperty('content-security-policy');
    expect(await visit('/docs/')).toMatchObject({
      ...{ status: 200, body: 'Docs' },
      headers: { 'content-type': 'text/html; charset=iso-8859-1' },
    });
    expect(await visit('/docs?a=1')).toMatchObject({ status: 302, headers: { location: '/docs/?a=1' } });
    expect(await visit('/app.js?v=1')).toMatchObject({
      ...{ status: 200, body: 'alert(1)' },
      headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'max-age=60' },
    });
    const plan = await visit(`/${encodeURIComponent('naïve “plan” 100%.txt')}`);
    expect(plan).toMatchObject({ status: 200, body: 'Plan' });
    expect(plan.headers).not.toHaveProperty('x-amz-meta-secret');
  });

  test('has a primary domain, to which others redirect once both are proven', async () => {
    const other = 'pages.example.test';
    const route = (domain: string) => `PATCH /api/buckets/${bucket.id}/domains/${domain}`;
    expect(await addProven(ada, bucket.id, other)).toMatchObject({ isPrimary: false, redirects: false });
    expect(await ada.rest(route(SITE), { body: { redirects: true } })).toMatchObject({
      status: 409,
      body: { code: 'IS_PRIMARY' },
    });
    expect(await ada.rest(route(SITE), { body: { isPrimary: false } })).toMatchObject({ status: 400 });
    expect(await ada.rest(route('none.example.test'), { body: {} })).toMatchObject({ status: 404 });
    expect(await ada.rest(route(other), { body: { redirects: true } })).toMatchObject({
      status: 200,
      body: { redirects: true, isPrimary: false },
    });
    await expect
      .poll(() => visit('/docs/?a=1', { host: other }))
      .toMatchObject({ status: 308, headers: { location: `http://${SITE}/docs/?a=1` } });
    await ada.rpc.bucketSites.updateDomain.mutate({ id: bucket.id, domain: other, isPrimary: true });
    const { domains } = await site(ada, bucket.id);
    expect(domains).toMatchObject([
      { domain: SITE, isPrimary: false },
      { domain: other, isPrimary: true, redirects: false },
    ]);
    await expect.poll(() => visit('/', { host: other })).toMatchObject({ status: 200 });
    // What stays takes the place of the primary one that goes.
    await ada.rpc.bucketSites.removeDomain.mutate({ id: bucket.id, domain: other });
    expect((await site(ada, bucket.id)).domains).toMatchObject([{ domain: SITE, isPrimary: true }]);
  });

  test('says what a certificate needs that this server has not', async () => {
    const route = `/api/buckets/${bucket.id}/domains/${SITE}/certificate`;
    expect(await ada.rest(`PUT ${route}`, { body: PEM })).toMatchObject({ status: 503 });
    expect(await ada.rest(`POST ${route}/issue`)).toMatchObject({ status: 503 });
    expect(await ada.rest(`PATCH ${route}`, { body: { httpsOnly: true } })).toMatchObject({ status: 404 });
    expect(await ada.rest(`DELETE ${route}`)).toMatchObject({ status: 404 });
  });

  test('answers what is not there with its own page, and addresses of other hosts never', async () => {
    const lost = { status: 404, body: '<h1>Lost</h1>' };
    for (const path of ['/nothing', '/docs/nothing', '/%ff', '/%00', '//docs', '/nothing/']) {
      expect(await visit(path), path).toMatchObject(lost);
    }
    expect(await visit('/nothing', { headers: { range: 'bytes=0-1', 'if-none-match': '*' } })).toMatchObject(
      lost,
    );
    await ada.rpc.bucketSites.set.mutate({ id: bucket.id, notFound: 'gone.html' });
    const plain = await visit('/nothing');
    expect(plain).toMatchObject({ status: 404, body: expect.stringContaining('This page does not exist.') });
    await ada.rpc.bucketSites.set.mutate({ id: bucket.id });
  });

  test('keeps to what HTTP says of ranges, conditions and methods', async () => {
    const { headers } = await visit('/app.js');
    const asked = (more: object) => visit('/app.js', { headers: more });
    expect(await asked({ 'if-none-match': headers.etag })).toMatchObject({ status: 304, body: '' });
    expect(await asked({ 'if-modified-since': headers['last-modified'] })).toMatchObject({ status: 304 });
    expect(await asked({ 'if-match': '"other"' })).toMatchObject({ status: 412 });
    expect(await asked({ range: 'bytes=0-4' })).toMatchObject({
      ...{ status: 206, body: 'alert' },
      headers: { 'content-range': 'bytes 0-4/8', 'content-length': '5' },
    });
    expect(await asked({ range: 'bytes=9-' })).toMatchObject({
      status: 416,
      headers: { 'content-range': 'bytes */8' },
    });
    expect(await visit('/app.js', { method: 'HEAD' })).toMatchObject({
      ...{ status: 200, body: '' },
      headers: { 'content-length': '8' },
    });
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      expect(await visit('/app.js', { method })).toMatchObject({
        status: 405,
        headers: { allow: 'GET, HEAD' },
      });
    }
    // Nothing of the console is there.
    expect(await visit('/api/auth/user')).toMatchObject({ status: 404, body: '<h1>Lost</h1>' });
    expect(await visit('/healthz')).toMatchObject({ status: 404, body: '<h1>Lost</h1>' });
  });

  test('shows nothing while its bucket is private, or it is off', async () => {
    await ada.rpc.buckets.update.mutate({ id: bucket.id, isPublic: false });
    expect(await visit('/')).toMatchObject({ status: 404 });
    expect((await visit('/')).body).not.toContain('Home');
    await ada.rpc.buckets.update.mutate({ id: bucket.id, isPublic: true });
    expect(await visit('/')).toMatchObject({ status: 200 });
    expect(await ada.rest(`DELETE /api/buckets/${bucket.id}/site`)).toMatchObject({ status: 200 });
    expect(await visit('/')).toMatchObject({ status: 404 });
    expect(await site(ada, bucket.id)).toMatchObject({ index: null, domains: [{ domain: SITE }] });
    await ada.rpc.bucketSites.set.mutate({ id: bucket.id });
  });
});

describe('a domain of a site', () => {
  test('is one’s in one place, is looked after like a project’s, and goes with its bucket', async () => {
    const project = (await ada.rest('POST /api/projects', { body: { name: 'Shop' } })).body as Project;
    const add = (domain: string) => ada.rest(`POST /api/buckets/${bucket.id}/domains`, { body: { domain } });
    expect(await add(SITE)).toMatchObject({
      status: 409,
      body: { code: 'EXISTS', message: `This bucket already has ${SITE}.` },
    });
    expect(
      await ada.rest(`POST /api/projects/${project.id}/domains`, { body: { domain: SITE } }),
    ).toMatchObject({
      status: 409,
      body: { message: `Your bucket pages already has ${SITE}. Remove it there first.` },
    });
    await ada.rest(`POST /api/projects/${project.id}/domains`, { body: { domain: 'shop.example.test' } });
    expect(await add('shop.example.test')).toMatchObject({
      body: { message: 'Your project Shop already has shop.example.test. Remove it there first.' },
    });
    expect(await add('x.apps.nephos-a.test')).toMatchObject({ status: 400 });

    const theirs = await bob.rpc.buckets.create.mutate({ name: 'bobs-pages', isPublic: true });
    expect(
      await bob.rest(`POST /api/buckets/${theirs.id}/domains`, { body: { domain: SITE } }),
    ).toMatchObject({
      status: 409,
      body: { code: 'DOMAIN_TAKEN', message: expect.stringContaining('Another workspace has') },
    });

    // A check that nobody asked for tells who has it where it no longer leads here.
    addresses.set(SITE, ['192.0.2.8']);
    await world.deps.db.updateTable('customDomains').set({ nextCheckAt: '2020-01-01' }).execute();
    await checkDue({ ...world.deps, orders: undefined, publicDns, log: pino({ level: 'silent' }) });
    const alerts = await ada.rpc.alerts.list.query();
    expect(alerts).toContainEqual(
      expect.objectContaining({ kind: 'domain-lost', path: `/storage/buckets/${bucket.id}` }),
    );

    const gone = await ada.rpc.buckets.create.mutate({ name: 'gone-pages', isPublic: true });
    await addProven(ada, gone.id, 'gone.example.test');
    await expect.poll(() => world.deps.apps.ownsHost('gone.example.test')).toBe(true);
    await ada.rpc.buckets.remove.mutate({ id: gone.id });
    await expect.poll(() => world.deps.apps.ownsHost('gone.example.test')).toBe(false);
    const removed = `DELETE /api/buckets/${bucket.id}/domains/${SITE}`;
    expect(await ada.rest(removed)).toMatchObject({ status: 200 });
    await expect.poll(() => world.deps.apps.ownsHost(SITE)).toBe(false);
    expect(await ada.rest(removed)).toMatchObject({ status: 404 });
  });

  test(`is one of ${MAX_CUSTOM_DOMAINS} at most`, async () => {
    const rows = Array.from({ length: MAX_CUSTOM_DOMAINS }, (_, n) => ({
      ...{ ownerId: ada.user.id, bucketId: bucket.id, domain: `s${n}.example.test`, isPrimary: false },
    }));
    await world.deps.db.insertInto('customDomains').values(rows).execute();
    const body = { domain: 'more.example.test' };
    expect(await ada.rest(`POST /api/buckets/${bucket.id}/domains`, { body })).toMatchObject({
      status: 403,
      body: { code: 'QUOTA_EXCEEDED' },
    });
  });
});
