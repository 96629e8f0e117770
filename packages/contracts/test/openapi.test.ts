import { expect, test } from 'vitest';
import { contract } from '../src/index.ts';
import { openApiDocument } from '../src/openapi.ts';

const document = openApiDocument(contract, { version: '1.2.3', serverUrl: 'https://console.example.com' });

test('describes every routed procedure once, with its input and its answers', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const routed = Object.values(contract).flatMap((table) => Object.values(table).filter((row) => row.route));
  expect(operations).toHaveLength(routed.length);

  expect(document.paths['/api/projects']?.post).toMatchObject({
    operationId: 'projects.create',
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { required: ['name'], properties: { name: { type: 'string', maxLength: 100 } } },
        },
      },
    },
    responses: { 201: {}, 400: {}, 401: {}, 403: {} },
  });
  expect(document.paths['/api/projects']?.get).toMatchObject({
    parameters: [
      { name: 'limit', in: 'query', required: false },
      { name: 'cursor', in: 'query', required: false },
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
