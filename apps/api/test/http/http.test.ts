import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ScriptedEngine } from '../deployments/fixtures/scripted-engine.ts';
import { createWorld, type Person, type World } from '../world.ts';

let world: World;
let ada: Person;

beforeAll(async () => {
  world = await createWorld({ running: true });
  ada = await world.as('Ada');
});

afterAll(() => world.close());

const REQUEST_ID = /^[0-9a-f-]{36}$/;

describe('errors', () => {
  test('401 is one line with the message first, and says exactly Unauthorized', async () => {
    const answer = await world.anyone.rest('GET /api/projects');
    expect(answer.status).toBe(401);
    expect(answer.text).toMatch(
      /^\{"message":"Unauthorized","code":"UNAUTHORIZED","requestId":"[0-9a-f-]{36}"\}$/,
    );
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(`401: ${answer.text}`).toMatch(/^401: .*Unauthorized/);
  });

  test('tRPC carries the same message, code and status', async () => {
    await expect(world.anyone.rpc.projects.list.query()).rejects.toMatchObject({
      message: 'Unauthorized',
      data: { httpStatus: 401, reason: 'UNAUTHORIZED', requestId: expect.stringMatching(REQUEST_ID) },
    });
  });

  test('validation names the faulty fields, at both doors', async () => {
    const rest = await ada.rest('POST /api/projects', { body: { name: '', branch: '-x' } });
    expect(rest.status).toBe(400);
    expect(rest.body).toEqual({
      message: 'Name is required.',
      code: 'VALIDATION',
      requestId: expect.stringMatching(REQUEST_ID),
      fields: [
        { path: 'name', message: 'Name is required.' },
        { path: 'branch', message: "Git doesn't accept this branch name." },
      ],
    });
    await expect(ada.rpc.projects.create.mutate({ name: '', branch: '-x' })).rejects.toMatchObject({
      message: 'Name is required.',
      data: { httpStatus: 400, reason: 'VALIDATION', fields: [{ path: 'name' }, { path: 'branch' }] },
    });
  });

  test.each(['not-a-uuid', '%00', '00000000-0000-7000-8000-000000000000', "1' or '1'='1"])(
    'an id that names nothing (%s) is the same 404 as a malformed one',
    async (id) => {
      const answer = await ada.rest(`GET /api/projects/${encodeURIComponent(decodeURIComponent(id))}`);
      expect(answer.status).toBe(404);
      expect(answer.text.replace(/"requestId":"[^"]+"/, '')).toBe(
        '{"message":"Not found.","code":"NOT_FOUND",}',
      );
    },
  );

  test('an unknown path is 404 and a known one with a wrong method is 405', async () => {
    expect((await ada.rest('GET /api/nothing')).status).toBe(404);
    const wrong = await ada.rest('PATCH /api/projects');
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('allow')).toBe('GET, POST');
    expect(wrong.body).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
  });

  test('an unknown procedure is 404', async () => {
    expect((await ada.rest('GET /trpc/projects.nothing')).status).toBe(404);
  });
});

describe('bodies', () => {
  test.each([
    ['no JSON', '{"name":', 400],
    ['a bare string', '"x"', 400],
    ['an array', '[]', 400],
    ['null', 'null', 400],
    ['a NUL', '{"name":"a\\u0000b"}', 400],
    ['a lone surrogate', '{"name":"\\ud800"}', 400],
    ['a polluting key', '{"name":"x","__proto__":{"a":1}}', 400],
    ['depth 21', `{"name":"x","a":${'['.repeat(21)}${']'.repeat(21)}}`, 400],
    ['50,000 deep and cut off', `{"name":${'['.repeat(50_000)}`, 400],
    ['a huge number', '{"name":1e400}', 400],
  ])('%s is refused', async (_, body, status) => {
    const answer = await ada.rest('POST /api/projects', { body });
    expect(answer.status).toBe(status);
  });

  test('64 KiB and more is refused', async () => {
    const body = { name: 'x'.repeat(65_536) };
    expect(await ada.rest('POST /api/databases', { body })).toMatchObject({ status: 413 });
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/json;x=y',
    'application/json\tx',
    'application/jsonx',
    'multipart/form-data; boundary=x',
  ])('the type %j is 415', async (type) => {
    const answer = await raw(
      { method: 'POST', path: '/api/projects', headers: { 'content-type': type } },
      '{"name":"x"}',
    );
    expect(answer.status).toBe(415);
  });

  const TOO_LARGE: [string, string, string][] = [
    ['POST /api/projects', 'application/json', 'The request body is too large.'],
    ['POST /api/storage', 'application/json', 'The request body is too large.'],
    ['POST /trpc/storage.create', 'application/json', 'The request body is too large.'],
    ['POST /api/storage/upload?fileName=x', 'text/plain', 'File too large'],
  ];

  test.each(TOO_LARGE)(
    'who sends all of what is too large and reads then is told: %s',
    async (to, type, says) => {
      const { hostname, port } = new URL(world.url);
      const socket = connect(Number(port), hostname).pause();
      // More than the kernel holds: unless all of it is read, it cannot be written.
      const body = Buffer.alloc(16 * 1024 * 1024, ' ');
      const head = [`${to} HTTP/1.1`, `host: ${hostname}`, `cookie: ${ada.cookie}`, `content-type: ${type}`];
      socket.write(`${head.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n`);
      await new Promise<void>((resolve, reject) => {
        socket.write(body, (error) => (error ? reject(error) : resolve()));
      });
      socket.resume();
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
      expect(String(answer)).toContain(`{"message":"${says}"`);
      socket.destroy();
    },
  );

  const INVALID_UTF8: [string, string, string][] = [
    ['POST /api/projects', 'application/json', '{"name":"a\xff"}'],
    ['POST /api/storage', 'application/json', '{"fileName":"a\xff"}'],
    ['POST /trpc/projects.create', 'application/json', '{"name":"a\xc3("}'],
    ['POST /trpc/storage.create', 'application/json', '{"fileName":"a\xed\xa0\x80"}'],
    ['POST /api/login', 'application/json', '{"email":"a\xff","password":"x"}'],
    ['POST /api/login', 'application/x-www-form-urlencoded', 'email=a%40b.c&password=a\xff'],
    ['POST /api/login', 'application/x-www-form-urlencoded', 'email=a%40b.c&password=%C3%28'],
    ['POST /v2/token', 'application/x-www-form-urlencoded', 'grant_type=password&password=%FF'],
  ];

  test.each(INVALID_UTF8)('what is no UTF-8 is refused, not changed: %s, %s, %j', async (to, type, text) => {
    const [method, path = ''] = to.split(' ');
    const response = await fetch(new URL(path, world.url), {
      ...(method && { method }),
      headers: { cookie: ada.cookie, 'content-type': type },
      body: Buffer.from(text, 'latin1'),
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('not valid UTF-8');
  });

  test('an empty body of a typed POST is no input', async () => {
    const project = await ada.rpc.projects.create.mutate({ name: 'Empty body' });
    const answer = await raw({
      method: 'DELETE',
      path: `/api/projects/${project.id}`,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer).toMatchObject({ status: 200, text: '{"success":true}' });
  });
});

describe('writes from other sites', () => {
  const body = { name: 'Forged' };

  test.each<Record<string, string>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:0' },
  ])('%j is refused at both doors', async (headers) => {
    const rest = await ada.rest('POST /api/projects', { body, headers });
    expect(rest).toMatchObject({ status: 403, body: { code: 'CSRF' } });
    const rpc = await ada.rest('POST /trpc/projects.create', { body, headers });
    expect(rpc.status).toBe(403);
    expect(await ada.rpc.projects.list.query()).not.toContainEqual(expect.objectContaining(body));
  });

  test('the same origin, and programs that say nothing, may write', async () => {
    const admitted: Record<string, string>[] = [
      { 'sec-fetch-site': 'same-origin' },
      { origin: world.deps.settings.publicUrl.origin },
      {},
    ];
    for (const headers of admitted) {
      const answer = await ada.rest('POST /api/projects', { body: { name: 'Own' }, headers });
      expect(answer.status).toBe(201);
      await ada.rest(`DELETE /api/projects/${(answer.body as { id: string }).id}`);
    }
  });
});

describe('headers', () => {
  test('protect every answer', async () => {
    const answer = await ada.rest('GET /api/projects');
    expect(answer.headers.get('content-security-policy')).toContain("object-src 'none'");
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-request-id')).toMatch(REQUEST_ID);
    expect(answer.headers.get('strict-transport-security')).toBeNull();
  });

  test('demand https where the console has it', async () => {
    const secure = await createWorld({ settings: { publicUrl: new URL('https://console.example.com') } });
    const answer = await secure.anyone.rest('GET /healthz');
    expect(answer.headers.get('strict-transport-security')).toContain('max-age=31536000');
    await secure.close();
  });
});

describe('paging', () => {
  test('reads numbers of the query strictly, and pages by the last id', async () => {
    const bob = await world.as('Bob');
    const created = [];
    for (const name of ['One', 'Two', 'Three']) created.push(await bob.rpc.projects.create.mutate({ name }));
    const first = await bob.rest('GET /api/projects?limit=2');
    expect(first.body).toMatchObject([{ name: 'Three' }, { name: 'Two' }]);
    const second = await bob.rest(`GET /api/projects?limit=2&cursor=${created[1]?.id}`);
    expect(second.body).toMatchObject([{ name: 'One' }]);
    for (const query of [
      'limit=0',
      'limit=1001',
      'limit=1.5',
      'limit=x',
      'limit=1e2',
      'limit=',
      'cursor=x',
    ]) {
      expect((await bob.rest(`GET /api/projects?${query}`)).status, query).toBe(400);
    }
  });
});

describe('service routes', () => {
  test('say that the process and its database are well', async () => {
    expect(await world.anyone.rest('GET /healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await world.anyone.rest('GET /readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
  });

  test('say ready at the moment in which all that a request can need is there, and log why not before', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const engine = new ScriptedEngine();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    engine.start = () => held;
    const late = await createWorld({ databaseUrl: world.databaseUrl, log, overrides: { engine } });
    const create = () =>
      fetch(`${late.url}/api/projects`, {
        method: 'POST',
        headers: { cookie: ada.cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Early', repositoryUrl: 'https://example.com/early.git' }),
      });
    const begun = late.deps.begin();
    const refused = await create();
    expect(refused.status).toBe(503);
    const { requestId } = (await refused.json()) as { requestId: string };
    expect((await create()).status).toBe(503);
    expect(await late.anyone.rest('GET /readyz')).toMatchObject({
      status: 503,
      body: { code: 'UNAVAILABLE', message: 'The server is starting.' },
    });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, requestId, route: '/api/projects', reason: 'the job queue is not running' },
      { level: 40, route: '/readyz', reason: 'The server is starting.' },
    ]);

    release();
    const readiness = async () => (await late.anyone.rest('GET /readyz')).status;
    await expect.poll(readiness).toBe(200);
    expect((await create()).status).toBe(201);
    await begun;
    await late.deps.end();
    expect((await late.anyone.rest('GET /readyz')).body).toMatchObject({
      message: 'The server is stopping.',
    });
    await late.close();
  });

  test('measure requests by route, never by address', async () => {
    await ada.rest('GET /api/projects/00000000-0000-7000-8000-000000000000');
    const { text } = await world.anyone.rest('GET /metrics');
    expect(text).toMatch(
      /nephos_http_request_duration_seconds_count\{method="GET",route="\/api\/projects\/:id",status="404"\} \d/,
    );
    expect(text).not.toContain('00000000-0000-7000');
  });

  test('measurements are kept from other machines where no token is set', async () => {
    const settings = { publicUrl: new URL('https://console.example.com') };
    const behindProxy = await createWorld({ settings });
    expect((await behindProxy.anyone.rest('GET /metrics')).status).toBe(404);
    await behindProxy.close();
  });

  test('measurements can be kept to those with a token', async () => {
    const guarded = await createWorld({ settings: { metricsToken: 'a-token-of-sixteen' } });
    expect((await guarded.anyone.rest('GET /metrics')).status).toBe(404);
    const headers = { authorization: 'Bearer a-token-of-sixteen' };
    expect((await guarded.anyone.rest('GET /metrics', { headers })).status).toBe(200);
    await guarded.close();
  });

  test('describe the API to programs and to people', async () => {
    const document = await world.anyone.rest('GET /api/openapi.json');
    expect(document.body).toMatchObject({
      openapi: '3.1.0',
      paths: { '/api/projects': { get: {}, post: {} }, '/api/login': {} },
    });
    const page = await world.anyone.rest('GET /api/docs');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const [, script = ''] = /<script src="(\/api\/docs[^"]+)">/.exec(page.text) ?? [];
    for (const encoding of ['gzip', 'identity']) {
      const answer = await fetch(world.url + script, { headers: { 'accept-encoding': encoding } });
      expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(answer.headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null);
      expect(await answer.text()).toMatch(
        /Scalar\.createApiReference\('#reference', \{\s+\.\.\.\{"url":"\/api\/openapi\.json"/,
      );
    }
  });
});

test('bytes are had through REST alone', async () => {
  const id = '00000000-0000-7000-8000-000000000000';
  const input = encodeURIComponent(JSON.stringify({ id }));
  expect(await ada.rest(`GET /trpc/storage.download?input=${input}`)).toMatchObject({ status: 404 });
  expect(await ada.rest('POST /trpc/storage.download', { body: { id } })).toMatchObject({ status: 404 });
  expect((await ada.rest(`POST /api/storage/${id}/download`)).status).toBe(405);
});

describe('batches', () => {
  test('hold ten calls and no more', async () => {
    const path = (calls: number) =>
      `GET /trpc/${Array(calls).fill('auth.user').join(',')}?batch=1&input=%7B%7D`;
    expect((await ada.rest(path(10))).status).toBe(200);
    expect((await ada.rest(path(11))).status).toBe(400);
  });
});

interface RawAnswer {
  status: number | undefined;
  text: string;
}

/** A request with headers exactly as given, which `fetch` would tidy. */
function raw(
  options: { method: string; path: string; headers: Record<string, string> },
  body = '',
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(world.url);
    const headers = {
      ...options.headers,
      cookie: ada.cookie,
      'content-length': String(Buffer.byteLength(body)),
    };
    const call = request({ ...options, headers, hostname, port }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    call.on('error', reject);
    call.end(body);
  });
}
