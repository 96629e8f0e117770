import { expect, test } from 'vitest';
import { z } from 'zod';
import * as exported from '../src/index.ts';
import { mutation } from '../src/kit.ts';
import { openApiDocument } from '../src/openapi.ts';

const { contract } = exported;

const document = openApiDocument(contract, {
  version: '1.2.3',
  serverUrl: 'https://console.example.com',
  named: exported,
});
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

test('describes every routed procedure once, with its input and its answers', () => {
  const routed = Object.values(contract).flatMap((table) => Object.values(table).filter((row) => row.route));
  expect(operations).toHaveLength(routed.length);

  expect(document.paths['/api/projects']?.post).toMatchObject({
    operationId: 'projects.create',
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/NewProject' } },
      },
    },
    responses: {
      201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Project' } } } },
    },
  });
  expect(document.components.schemas).toMatchObject({
    NewProject: { required: ['name'], properties: { name: { type: 'string', maxLength: 100 } } },
    Project: { properties: { framework: { $ref: '#/components/schemas/Framework' } } },
  });
  expect(document.paths['/api/projects']?.get).toMatchObject({
    parameters: [
      { name: 'limit', in: 'query', required: false },
      { name: 'cursor', in: 'query', required: false },
      { name: 'search', in: 'query', required: false, schema: { $ref: '#/components/schemas/Search' } },
      {
        name: 'sort',
        in: 'query',
        required: false,
        schema: { enum: ['newest', 'oldest', 'name', 'updated'] },
      },
    ],
  });
  expect(document.paths['/api/projects/{id}/variables/{name}']?.put).toMatchObject({
    parameters: [
      { name: 'id', in: 'path' },
      { name: 'name', in: 'path' },
      { $ref: '#/components/parameters/IdempotencyKey' },
    ],
    requestBody: { content: { 'application/json': { schema: { required: ['value'] } } } },
  });
});

test('says what each operation may answer, by what its row and its door do', () => {
  const answers = (path: string, method: string) =>
    Object.keys(document.paths[path]?.[method]?.responses as object).map(Number);
  const read = [200, 400, 401, 403, 404, 409, 429, 500, 503];
  expect(answers('/api/projects', 'get')).toEqual(read);
  const write = [201, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503];
  expect(answers('/api/projects', 'post')).toEqual(write);
  expect(answers('/api/marketplace/{id}/install', 'post')).toEqual([200, ...write]);
  expect(answers('/api/subscriptions', 'post')).toEqual([200, 201, 400, 401, 402, ...write.slice(3)]);
});

test('refuses one name for a shape that is sent in one form and got in another', () => {
  const Colour = z.object({ name: z.string().default('red') });
  const paint = mutation({ summary: 'Paint', route: 'POST /api/paint', input: Colour, output: Colour });
  const options = { version: '1', serverUrl: 'https://console.example.com', named: { Colour } };
  expect(() => openApiDocument({ house: { paint } }, options)).toThrow(
    'Colour is sent and got in two shapes',
  );
});

test('says how each operation is signed in to', () => {
  expect(document.paths['/api/projects']?.get?.security).toEqual([{ session: [] }, { accessToken: [] }]);
  const mayWrite = [{ session: [] }, { accessToken: ['write'] }];
  expect(document.paths['/api/projects']?.post?.security).toEqual(mayWrite);
  expect(document.paths['/api/databases/{id}/connection']?.get?.security).toEqual(mayWrite);
  expect(document.paths['/api/auth/tokens']?.post?.security).toEqual([{ session: [] }]);
  const schemes = Object.keys(document.components.securitySchemes as object);
  expect(schemes).toEqual(['session', 'accessToken']);
});

test('every reference in it leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, path]) => path ?? '',
  );
  expect(references.length).toBeGreaterThan(10);
  for (const path of references) {
    const target = path
      .split('/')
      .reduce<unknown>((node, key) => (node as Record<string, unknown>)?.[key], document);
    expect(target, path).toBeDefined();
  }
});
