import { expect, test } from 'vitest';
import { apiDocument } from '../src/api-document.ts';

type Json = Record<string, unknown>;

const document = apiDocument('https://console.example.com');
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
);

/** Every object in a document, however deep. */
function objectsIn(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value as Json, ...inner];
}

/** Names of the operations that a rule does not hold for. */
function breaking(rule: (operation: Json) => boolean): string[] {
  return operations.filter(({ operation }) => !rule(operation)).map(({ name }) => name);
}

// What `redocly lint` and `spectral lint` with its rules for OpenAPI ask for.
test('every operation is told apart, described, grouped, and says who may call and what comes of it', () => {
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  expect(breaking(({ summary, description }) => Boolean(summary) && Boolean(description))).toEqual([]);
  expect(breaking(({ security }) => Array.isArray(security))).toEqual([]);
  const tags = new Set(document.tags.map(({ name }) => name));
  expect(breaking((operation) => (operation.tags as string[]).every((tag) => tags.has(tag)))).toEqual([]);
  expect(document.tags.every(({ description }) => description.length > 0)).toBe(true);
  const said = (operation: Json) => Object.keys(operation.responses as Json);
  expect(breaking((operation) => said(operation).some((status) => status.startsWith('2')))).toEqual([]);
  expect(breaking((operation) => said(operation).some((status) => status.startsWith('4')))).toEqual([]);
  expect(document.info).toMatchObject({ contact: { name: 'Nephos' }, license: { identifier: 'MIT' } });
});

test('a private download is for the signed in as well, who are named first', () => {
  const { security } = document.paths['/api/storage/{id}/download']?.get ?? {};
  expect(security).toEqual([{ session: [] }, { accessToken: [] }, {}]);
});

test('every reference leads somewhere, and every named shape is referred to', () => {
  const references = new Set(
    objectsIn(document).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : [])),
  );
  for (const reference of references) {
    const target = reference
      .slice(2)
      .split('/')
      .reduce<unknown>((node, key) => (node as Json)?.[key], document);
    expect(target, reference).toBeDefined();
  }
  const named = Object.keys(document.components.schemas as Json);
  expect(named).toEqual(expect.arrayContaining(['Project', 'NewProject', 'Login', 'User', 'StoredFile']));
  expect(named.filter((name) => !references.has(`#/components/schemas/${name}`))).toEqual([]);
});

test('what is required of an object is among its properties', () => {
  const lacking = objectsIn(document).flatMap(({ required, properties }) =>
    Array.isArray(required) && typeof properties === 'object'
      ? required.filter((name) => !Object.hasOwn(properties as Json, name))
      : [],
  );
  expect(lacking).toEqual([]);
  expect(objectsIn(document).filter((part) => 'propertyNames' in part && 'required' in part)).toEqual([]);
});
