import { readFile } from 'node:fs/promises';
import type { Manifest, Project } from '@nephos/contracts';
import fc from 'fast-check';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1';
import { Service } from 'kubernetes-models/v1';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { objectName } from '../../src/domains/assistant/kubernetes/workload.ts';
import { type Call, makeToken, pushImage, registryClient } from '../containers/registry-client.ts';
import { ScriptedEngine } from '../deployments/fixtures/scripted-engine.ts';
import { createWorld, type Person, type World } from '../world.ts';

const KINDS = { Deployment, Service, HorizontalPodAutoscaler, Ingress };

interface KubernetesObject {
  kind: keyof typeof KINDS;
  metadata: { name: string };
}

/** Manifests that are made up; see CONTRIBUTING for the long form. */
const RUNS = Number(process.env.TEST_MANIFESTS ?? 100);

let world: World;
let ada: Person;
let registry: Call;

beforeAll(async () => {
  world = await createWorld({ overrides: { engine: new ScriptedEngine() } });
  ada = await world.as('Ada');
  registry = registryClient({ url: world.url, username: 'ada', password: (await makeToken(ada)).token });
});

afterAll(() => world.close());

/** The objects of a manifest, each held against Kubernetes' own schema. Throws where one does not fit. */
function objectsOf({ yaml }: Manifest): KubernetesObject[] {
  return parseAllDocuments(yaml, { version: '1.1', strict: true }).map((document) => {
    expect([...document.errors, ...document.warnings]).toEqual([]);
    const object = document.toJS() as KubernetesObject;
    new KINDS[object.kind](object as never).validate();
    return object;
  });
}

function manifest(query: Record<string, string>) {
  return ada.rest(`GET /api/assistant/manifest?${new URLSearchParams(query)}`);
}

async function createProject(name: string): Promise<Project> {
  return (await ada.rest('POST /api/projects', { body: { name } })).body as Project;
}

describe('a manifest for an image', () => {
  test('is this file', async () => {
    const { body } = await manifest({
      image: 'registry.example.com/ada/shop:1.2',
      host: 'shop.example.com',
      port: '3000',
      minReplicas: '2',
      maxReplicas: '10',
    });
    const golden = new URL('./golden/shop.yaml', import.meta.url);
    expect(body).toEqual({ fileName: 'shop.yaml', yaml: await readFile(golden, 'utf8') });
    expect(objectsOf(body as Manifest).map(({ kind }) => kind)).toEqual([
      'Deployment',
      'Service',
      'HorizontalPodAutoscaler',
      'Ingress',
    ]);
  });

  test('has no ingress without a host, and the documented defaults, by both doors', async () => {
    const made = await ada.rpc.assistant.manifest.query({ image: 'nginx' });
    expect(objectsOf(made)).toMatchObject([
      {
        spec: { template: { spec: { containers: [{ image: 'nginx', ports: [{ containerPort: 8080 }] }] } } },
      },
      { kind: 'Service' },
      { spec: { minReplicas: 2, maxReplicas: 5 } },
    ]);
    expect((await manifest({ image: 'nginx' })).body).toEqual(made);
    expect(await world.anyone.rest('GET /api/assistant/manifest?image=nginx')).toMatchObject({ status: 401 });
  });

  test('of a wildcard host quotes it', async () => {
    const [, , , ingress] = objectsOf(
      await ada.rpc.assistant.manifest.query({ image: 'nginx', host: '*.Example.com' }),
    );
    expect(ingress).toMatchObject({ spec: { rules: [{ host: '*.example.com' }] } });
  });
});

describe('a manifest for an image of our own registry', () => {
  test('lets the cluster log in, unless the image is public', async () => {
    const { host } = world.deps.settings.publicUrl;
    await pushImage(registry, 'ada/weather', { tag: 'v1' });
    const closed = await ada.rpc.assistant.manifest.query({ image: `${host}/ada/weather:v1` });
    expect(closed.yaml).toContain(`docker-registry weather-registry --docker-server=${host}`);
    expect(closed.yaml).toContain('imagePullSecrets');
    await pushImage(registry, 'ada/tides', { tag: 'v1' });
    await ada.rest('POST /api/containers', { body: { name: 'tides', tag: 'v2', isPublic: true } });
    const open = await ada.rpc.assistant.manifest.query({ image: `${host}/ada/tides:v1` });
    expect(open.yaml).not.toContain('imagePullSecrets');
  });
});

describe('a manifest for a project', () => {
  test('names the image that it needs, and how to push it, while there is none', async () => {
    const { id, slug } = await createProject('No image yet');
    const made = await ada.rpc.assistant.manifest.query({ projectId: id });
    const image = `${world.deps.settings.publicUrl.host}/ada/${slug}:latest`;
    expect(made.yaml).toContain(`#   docker build -t ${image} . && docker push ${image}\n`);
    expect(objectsOf(made)[0]).toMatchObject({ spec: { template: { spec: { containers: [{ image }] } } } });
  });

  test('takes its private image, its health path, and the names of its variables only', async () => {
    const { id } = await createProject('Web Shop');
    await pushImage(registry, 'ada/web-shop', { tag: 'v7' });
    await ada.rest(`PATCH /api/projects/${id}`, { body: { healthPath: '/healthz' } });
    for (const name of ['API_KEY', 'yes']) {
      await ada.rest(`PUT /api/projects/${id}/variables/${name}`, { body: { value: 'hunter2-hunter2' } });
    }
    const made = await ada.rpc.assistant.manifest.query({ projectId: id });
    expect(made.yaml).not.toContain('hunter2');
    expect(made.yaml).toContain('kubectl create secret docker-registry web-shop-registry');
    expect(made.yaml).toContain('--from-literal=API_KEY=<value>');
    expect(made.yaml).toContain('name: "yes"');
    const secretKeyRef = { name: 'web-shop-env', key: 'API_KEY' };
    expect(objectsOf(made)[0]).toMatchObject({
      metadata: { name: 'web-shop' },
      spec: {
        template: {
          spec: {
            imagePullSecrets: [{ name: 'web-shop-registry' }],
            securityContext: { runAsNonRoot: true },
            containers: [
              {
                image: `${world.deps.settings.publicUrl.host}/ada/web-shop:v7`,
                readinessProbe: { httpGet: { path: '/healthz', port: 'http' } },
                env: [
                  { name: 'PORT', value: '8080' },
                  { name: 'API_KEY', valueFrom: { secretKeyRef } },
                  { name: 'yes', valueFrom: { secretKeyRef: { name: 'web-shop-env', key: 'yes' } } },
                ],
              },
            ],
          },
        },
      },
    });
  });

  test('needs no secret to pull a public image', async () => {
    const { id } = await createProject('Blog page');
    await pushImage(registry, 'ada/blog-page', { tag: 'v1' });
    await ada.rest('POST /api/containers', { body: { name: 'blog-page', tag: 'v2', isPublic: true } });
    const made = await ada.rpc.assistant.manifest.query({ projectId: id });
    expect(made.yaml).not.toContain('imagePullSecrets');
  });

  test('of somebody else is not there', async () => {
    const eve = await world.as('Eve');
    const { id } = await createProject('Mine');
    expect(await eve.rest(`GET /api/assistant/manifest?projectId=${id}`)).toMatchObject({ status: 404 });
  });
});

const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 });
const component = fc.stringMatching(/^[a-z0-9]{1,12}(?:(?:\.|_|__|-{1,3})[a-z0-9]{1,8}){0,3}$/);
const tag = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,40}$/);
const place = fc.constantFrom('', 'ghcr.io/', 'localhost:3000/', '[::1]:5000/', 'Registry.Example.com:443/');
const image = fc
  .record({
    place,
    path: fc.array(component, { minLength: 1, maxLength: 3 }),
    tag: fc.option(tag),
    digest: fc.option(hex),
  })
  .map(
    (parts) =>
      parts.place +
      parts.path.join('/') +
      (parts.tag === null ? '' : `:${parts.tag}`) +
      (parts.digest === null ? '' : `@sha256:${parts.digest}`),
  );
const host = fc.constantFrom(
  undefined,
  'shop.example.com',
  '*.dev.example.org',
  'bücher.example',
  'no.on.yes',
);
const input = fc.record({
  image,
  host,
  port: fc.integer({ min: 1, max: 65_535 }),
  minReplicas: fc.integer({ min: 1, max: 50 }),
  maxReplicas: fc.integer({ min: 50, max: 100 }),
});

test(
  `${RUNS} manifests of all kinds of images fit the schemas of Kubernetes and parse back`,
  async () => {
    await fc.assert(
      fc.asyncProperty(input, async (given) => {
        const made = await ada.rpc.assistant.manifest.query({ ...given, host: given.host });
        const objects = objectsOf(made);
        expect(objects).toHaveLength(given.host === undefined ? 3 : 4);
        for (const { metadata } of objects) {
          expect(metadata.name).toMatch(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/);
        }
        const text = JSON.stringify(objects);
        expect(text).toContain(JSON.stringify(given.image));
        expect(text).toContain(`"containerPort":${given.port}`);
        expect(text).toContain(`"minReplicas":${given.minReplicas},"maxReplicas":${given.maxReplicas}`);
      }),
      { numRuns: RUNS },
    );
  },
  60_000 + 200 * RUNS,
);

test('whatever a thing is called, its objects have a name that Kubernetes takes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      expect(objectName(text)).toMatch(/^[a-z]([a-z0-9-]{0,54}[a-z0-9])?$/);
    }),
    { numRuns: 2000 },
  );
});
