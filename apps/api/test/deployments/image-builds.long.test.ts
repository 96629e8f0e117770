import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Deployment, Project, RunSettings } from '@nephos/contracts';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isInstalled, requireTool } from '../../../../tools/require-tool.ts';
import { sweepReleaseImages } from '../../src/domains/containers/release-sweep.ts';
import { RECIPES } from '../../src/domains/deployments/deployments.ts';
import { LABELS } from '../../src/domains/deployments/engine/container/names.ts';
import { findPrograms } from '../../src/domains/deployments/engine/process/find-program.ts';
import { CATALOGUE } from '../../src/domains/marketplace/catalogue/catalogue.ts';
import { recipe } from '../../src/domains/marketplace/catalogue/recipe.ts';
import { type DockerDaemon, startDockerDaemon } from '../docker-daemon.ts';
import { type Files, type GitServer, startGitServer } from '../git-server.ts';
import { install } from '../marketplace/marketplace-world.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { builtSite, nodeAppWithPackage } from './app-fixtures.ts';

const runnable =
  process.getuid?.() === 0 &&
  ['dockerd', 'docker-registry', 'busybox', 'git', 'ip'].map(requireTool).every(Boolean) &&
  isInstalled('npm');
const BASE = 'test-node:24';
const SMALL = 'test-small:1';
const baseImages = {
  node: 'test-node:{version}',
  python: 'nowhere.invalid/python:{version}',
  debian: 'nowhere.invalid/debian:{version}',
  static: SMALL,
};

let daemon: DockerDaemon;
let world: World;
let git: GitServer;
let ada: Person;
let recipes = '';

beforeAll(async () => {
  if (!runnable) return;
  [daemon, git] = await Promise.all([startDockerDaemon(), startGitServer()]);
  await Promise.all([makeBase(), makeSmall(), daemon.addBuilder({ baseImages })]);
  recipes = await makeRecipes();
  world = await createWorld({
    running: true,
    overrides: { recipes, catalogue: [...CATALOGUE, RANDOM] },
    settings: { billing: false, deployRuntime: 'docker', dockerHost: daemon.host, baseImages },
  });
  ada = await world.as('Ada');
});

/** The marketplace's apps with one more, whose image is another with each build that uses nothing of earlier ones. */
async function makeRecipes(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nephos-recipes-'));
  await cp(join(RECIPES, 'radicale'), join(folder, 'radicale'), { recursive: true });
  await mkdir(join(folder, 'random'));
  const serve = 'CMD ["busybox", "httpd", "-f", "-p", "3000", "-h", "/srv"]';
  const step = 'RUN mkdir /srv && cat /proc/sys/kernel/random/uuid > /srv/index.html';
  await writeFile(join(folder, 'random/Dockerfile'), `FROM ${SMALL}\n${step}\n${serve}\n`);
  return folder;
}

/** An image takes tens of seconds on a busy machine, and some tests make four. */
const OF_BUILDS = { timeout: 240_000, interval: 100 };
const OF_TESTS = { timeout: 2 * OF_BUILDS.timeout };

const RANDOM = recipe({
  ...{ id: 'random', name: 'Random', description: 'A number.', category: 'Numbers', version: '1.0.0' },
  ...{ runs: 'container', disk: 64, memory: 64, healthPath: '/', firstSteps: 'Look.' },
});

afterAll(async () => {
  await world?.close();
  await Promise.all([daemon?.close(), git?.close()]);
  if (recipes) await rm(recipes, { recursive: true });
});

/** The daemon's own base with npm, and with what builds call. */
async function makeBase(): Promise<void> {
  const { docker } = daemon;
  const container = await docker.createContainer({ Image: 'test-base:latest', Cmd: ['sh'] });
  const archive = pack();
  for (const name of ['mkdir', 'chown', 'rm', 'ln', 'true']) {
    archive.entry({ name: `bin/${name}`, type: 'symlink', linkname: 'busybox' });
  }
  archive.entry({ name: 'bin/npm', mode: 0o755 }, '#!/bin/sh\nexec node /npm/bin/npm-cli.js "$@"\n');
  archive.entry({ name: 'tmp', type: 'directory', mode: 0o1777 });
  archive.finalize();
  // It is a stream, of which the typings know less.
  await container.putArchive(archive as unknown as NodeJS.ReadableStream, { path: '/' });
  const [program = ''] = findPrograms('npm', process.env.PATH ?? '');
  const npm = dirname(dirname(realpathSync(program)));
  const tar = spawn('tar', ['-C', dirname(npm), '-c', 'npm']);
  await container.putArchive(tar.stdout, { path: '/' });
  const [repo, tag] = BASE.split(':');
  await container.commit({ repo, tag, changes: ['ENV PATH=/bin', 'CMD []'] });
  await container.remove();
}

/** A shell and a web server, in a megabyte. */
async function makeSmall(): Promise<void> {
  const [busybox = ''] = findPrograms('busybox', process.env.PATH ?? '');
  const archive = pack();
  archive.entry({ name: 'bin/busybox', mode: 0o755 }, readFileSync(busybox));
  for (const name of ['sh', 'cat', 'wc', 'mkdir', 'ln', 'sleep', 'false', 'ls'])
    archive.entry({ name: `bin/${name}`, type: 'symlink', linkname: 'busybox' });
  archive.finalize();
  const [repo, tag] = SMALL.split(':');
  // It is a stream, of which the typings know less.
  const tar = archive as unknown as NodeJS.ReadableStream;
  const imported = await daemon.docker.importImage(tar, { repo, tag });
  for await (const _ of imported);
}

interface Given {
  framework?: Project['framework'];
  settings?: Partial<RunSettings>;
  variables?: { name: string; value: string; scope?: 'all' | 'build' | 'run' }[];
}

let made = 0;

async function deployNew(files: Files, given: Given = {}, person = ada) {
  made += 1;
  const name = `app${made}`;
  await git.createRepository(name, files);
  const project = await person.rpc.projects.create.mutate({
    ...{ name, repositoryUrl: git.url(name) },
    ...given,
  });
  const deployment = await ended(project.latestDeployment?.id ?? '', person);
  return { project, deployment, log: await logOf(deployment.id, person) };
}

async function deployAgain({ project }: { project: Project }, options: { clearCache?: boolean } = {}) {
  const { id } = await ada.rpc.deployments.create.mutate({ id: project.id, ...options });
  const deployment = await ended(id);
  return { project, deployment, log: await logOf(id) };
}

async function ended(id: string, person = ada): Promise<Deployment> {
  const get = () => person.rpc.deployments.get.query({ id });
  await expect
    .poll(async () => (await get()).status, OF_BUILDS)
    .not.toMatch(/queued|building|deploying/)
    .catch(async (error: unknown) => {
      console.log(await logOf(id, person));
      throw error;
    });
  return get();
}

async function logOf(id: string, person = ada): Promise<string> {
  return (await person.rest(`GET /api/deployments/${id}/log`)).text;
}

function whyNot(image: string, setting: string): string {
  return `Build failed: the image nowhere.invalid/${image} could not be had because the host nowhere.invalid was not found. Have an administrator set ${setting} to an image that this server can get. See the log for details.`;
}

/** Asks an app through the console's port. */
function ask({ slug }: Pick<Project, 'slug'>, path = '/'): Promise<string> {
  const { port } = new URL(world.url);
  return new Promise((resolve, reject) => {
    const headers = { host: `${slug}.localhost:${port}` };
    request({ host: '127.0.0.1', port, path, headers, agent: false }, async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      resolve(text);
    })
      .on('error', reject)
      .end();
  });
}

/** Says what it was built with, and listens where the image says. */
const DOCKERFILE = `FROM ${SMALL} AS base
WORKDIR /srv
FROM base AS wanted
ARG WORD
RUN --mount=type=secret,id=TOKEN echo "$WORD $(cat /run/secrets/TOKEN | wc -c) $TOKEN" > index.html
COPY . .
EXPOSE 4567
CMD ["busybox", "httpd", "-f", "-p", "4567", "-h", "/srv"]
FROM base
RUN exit 1
`;
const PLAIN = {
  Dockerfile: `FROM ${SMALL}\nCOPY . /srv\nCMD ["busybox", "httpd", "-f", "-p", "3000", "-h", "/srv"]\n`,
};

/** In the log of a build, a step of its own that is not taken from the cache. */
const STEP_RUNS = /\] RUN [^\n]*\n#\d+ sha256:\S+\n#\d+ DONE/;

describe.skipIf(!runnable)('a Dockerfile', OF_TESTS, () => {
  test('is built with its target, arguments and secrets, stored in the registry, and not built again', async () => {
    const built = await deployNew(
      { 'site/Dockerfile': DOCKERFILE, 'site/.dockerignore': 'left', 'site/left': 'x', 'site/right': 'y' },
      {
        settings: {
          rootDirectory: 'site',
          dockerTarget: 'wanted',
          buildArgs: [{ name: 'WORD', value: 'hello' }],
        },
        variables: [
          { name: 'TOKEN', value: 'sesame-open', scope: 'build' },
          // Not for the command that builds.
          { name: 'DOCKER_HOST', value: 'unix:///nowhere', scope: 'build' },
          { name: 'LD_PRELOAD', value: '/nowhere.so', scope: 'build' },
        ],
      },
    );
    expect(built.deployment.error, built.log).toBe(null);
    expect(await ask(built.project)).toBe('hello 11 \n');
    expect(await ask(built.project, '/right')).toBe('y');
    expect(await ask(built.project, '/left')).toContain('404');
    const { id, imageDigest } = built.deployment;
    const [card] = await ada.rpc.containers.list.query({ search: built.project.slug });
    expect(card).toMatchObject({ name: `ada/${built.project.slug}`, tag: id, digest: imageDigest });
    expect(await ada.rpc.projects.get.query({ id: built.project.id })).toMatchObject({
      detected: { framework: 'Dockerfile', processes: [{ name: 'web', command: /httpd/ }] },
    });
    const again = await deployAgain(built);
    expect(again.deployment).toMatchObject({ status: 'running', rollbackOf: id, imageDigest });
    expect(again.log).toContain('Nothing has changed since the last build');
    // Nobody finds it by the name under which it was pushed.
    const names = (await daemon.docker.listImages()).flatMap(({ RepoTags }) => RepoTags ?? []);
    expect(names).toContain(`nephos/${built.project.id}:${id}`);
    expect(names.filter((name) => name.includes('ada/'))).toEqual([]);
    const anew = await deployAgain(built, { clearCache: true });
    expect(anew.deployment).toMatchObject({ status: 'running', rollbackOf: null });
    expect(anew.log).toMatch(STEP_RUNS);
  });

  test.each([
    [
      'of a step',
      `FROM ${SMALL}\nRUN echo before; sh -c "exit 3"\n`,
      'Build failed: echo before; sh -c "exit 3" (step 2/2) exited with code 3. See the log for details.',
    ],
    [
      'of a file that is not there',
      `FROM ${SMALL}\nCOPY missing.txt /\n`,
      'Build failed: COPY missing.txt /: missing.txt is not in the repository, or .dockerignore leaves it out. See the log for details.',
    ],
    [
      'of an image that is not there',
      'FROM nowhere.invalid/app:1\n',
      'Build failed: the image nowhere.invalid/app:1 could not be had because the host nowhere.invalid was not found. See the log for details.',
    ],
    [
      'of a mistake',
      `FROM ${SMALL}\nFETCH x\n`,
      'Build failed: line 2 of the Dockerfile: unknown instruction: FETCH. See the log for details.',
    ],
    [
      'of a link',
      { link: '/etc/passwd' },
      'The repository has no package.json. Node.js apps need one. It has a Dockerfile. Set the builder to Dockerfile.',
    ],
  ])('fails for the reason %s', async (_, Dockerfile, sentence) => {
    const { deployment, log } = await deployNew({ Dockerfile });
    expect(deployment, log).toMatchObject({ status: 'failed', error: sentence });
    expect(log).not.toContain('root:x:0');
  });

  test('is built without the syntax image of Docker Hub where that cannot be had', async () => {
    const { deployment, log, project } = await deployNew({
      ...PLAIN,
      Dockerfile: `# syntax=docker/dockerfile:1\n${PLAIN.Dockerfile}`,
      'index.html': 'hello',
    });
    expect(deployment.error, log).toBe(null);
    expect(await ask(project)).toBe('hello');
  });

  test('can be cancelled while it is built', async () => {
    await git.createRepository('slow', { Dockerfile: `FROM ${SMALL}\nRUN echo be""gun; sleep 300\n` });
    const project = await ada.rpc.projects.create.mutate({ name: 'slow', repositoryUrl: git.url('slow') });
    const id = project.latestDeployment?.id ?? '';
    await expect.poll(() => logOf(id)).toContain('begun');
    await ada.rpc.deployments.cancel.mutate({ id });
    expect(await ended(id)).toMatchObject({ status: 'cancelled' });
    const images = await daemon.docker.listImages({ filters: { label: [`app.nephos.deployment=${id}`] } });
    expect(images).toEqual([]);
  });

  test('keeps its caches apart from those of other projects, and for its own next build', async () => {
    const step =
      'RUN --mount=type=cache,id=shared,target=/c ls /c; echo mine > /c/left-by-$(cat /name); false';
    const files = (name: string): Files => ({
      Dockerfile: `FROM ${SMALL}\nRUN echo ${name} > /name\n${step}\n`,
    });
    const first = await deployNew(files('first'));
    expect((await deployNew(files('second'))).log).not.toContain('left-by-first\n');
    expect((await deployAgain(first)).log).toContain('left-by-first\n');
    expect((await deployAgain(first, { clearCache: true })).log).not.toContain('left-by-first\n');
  });

  test('has no layer of what another project, or it before, made of a secret', async () => {
    const Dockerfile = `FROM ${SMALL}
RUN --mount=type=secret,id=TOKEN mkdir /srv && cat /run/secrets/TOKEN > /srv/index.html
CMD ["busybox", "httpd", "-f", "-p", "3000", "-h", "/srv"]
`;
    const deployWith = (value: string) =>
      deployNew({ Dockerfile }, { variables: [{ name: 'TOKEN', value, scope: 'build' }] });
    const built = await deployWith('sesame-one');
    expect(await ask((await deployWith('sesame-two')).project)).toBe('sesame-two');
    expect(await ask(built.project)).toBe('sesame-one');
    const variables = [{ name: 'TOKEN', value: 'sesame-three', scope: 'build' as const }];
    await ada.rpc.projects.setVariables.mutate({ id: built.project.id, variables });
    const { log } = await deployAgain(built);
    expect(await ask(built.project), log).toBe('sesame-three');
  });

  test('of an app of the marketplace is built anew each time, since its packages are not pinned', async () => {
    const { receipt, error } = await install(ada, 'random', { name: 'Random' }, OF_BUILDS);
    const project = await ada.rpc.projects.get.query({ id: receipt[0]?.id ?? '' }).catch(() => undefined);
    if (!project) throw new Error(error);
    const former = await ask(project);
    const { deployment, log } = await deployAgain({ project });
    expect(deployment, log).toMatchObject({ status: 'running' });
    const now = await ask(project);
    expect([former, now]).toEqual(Array(2).fill(expect.stringMatching(/^[0-9a-f-]{36}\n$/)));
    expect(now).not.toBe(former);
  });

  test('whose app does not start leaves nothing once the hour is over, and what runs stays', async () => {
    const built = await deployNew({ ...PLAIN, 'index.html': 'one' });
    const name = `app${made}`;
    await git.commit(name, { Dockerfile: `FROM ${SMALL}\nCMD ["false"]\n` }, 'Break it');
    const { deployment } = await deployAgain(built);
    expect(deployment).toMatchObject({ status: 'failed', step: 'start' });
    const tags = async () =>
      (await ada.rpc.containers.list.query({ search: name })).map(({ tag }) => tag).toSorted();
    expect(await tags()).toEqual([built.deployment.id, deployment.id].toSorted());
    await sweepReleaseImages(world.deps.db, world.deps.settings);
    expect(await tags()).toEqual([built.deployment.id]);
    expect(await ask(built.project)).toBe('one');
  });

  test('comes from the registry again where Docker has lost its image', async () => {
    const { project, deployment } = await deployNew({ ...PLAIN, 'index.html': 'kept' });
    await ada.rpc.deployments.stopApp.mutate({ id: project.id });
    const names = async () => (await daemon.docker.listImages()).flatMap(({ RepoTags }) => RepoTags ?? []);
    const kept = `nephos/${project.id}:${deployment.id}`;
    await expect.poll(() => daemon.docker.getImage(kept).remove().then(names)).not.toContain(kept);
    const { id } = await ada.rpc.deployments.startApp.mutate({ id: project.id });
    expect(await ended(id), await logOf(id)).toMatchObject({ status: 'running', rollbackOf: deployment.id });
    expect(await ask(project)).toBe('kept');
    expect(await names()).toContain(kept);
    // Nobody else's build can begin with it.
    expect((await names()).filter((name) => name.includes('ada/'))).toEqual([]);
  });

  test("of a member is built on a console that others reach, and begins with nobody else's image", async () => {
    const ofAda = await deployNew({ ...PLAIN, 'index.html': 'of Ada' });
    const carl = await world.as('Carl');
    world.deps.settings.trustProxy = '127.0.0.1';
    try {
      expect((await carl.rpc.auth.welcome.query()).membersDeploy).toBe(true);
      const own = await deployNew({ ...PLAIN, 'index.html': 'of Carl' }, {}, carl);
      expect(own.deployment.error, own.log).toBe(null);
      expect(await ask(own.project)).toBe('of Carl');
      const kept = `nephos/${ofAda.project.id}:${ofAda.deployment.id}`;
      const taken = await deployNew({ Dockerfile: `FROM ${kept}\n` }, {}, carl);
      expect(taken.deployment.error).toContain(`the image ${kept} could not be had`);
    } finally {
      world.deps.settings.trustProxy = undefined;
    }
  });

  test('is not stored over the storage of the plan, and says so', async () => {
    const bob = await world.as('Bob');
    const file = { fileName: 'big', filePath: '/', mimeType: 'text/plain', isPublic: false, sha256: '' };
    await world.deps.db
      .insertInto('storedFiles')
      .values({ ...file, ownerId: bob.user.id, objectKey: randomUUID(), fileSize: 2 ** 40 })
      .execute();
    world.deps.settings.billing = true;
    try {
      const { deployment, log } = await deployNew(PLAIN, {}, bob);
      expect(deployment.error, log).toMatch(
        /^The image could not be stored: Your .* plan includes .* of storage/,
      );
      const label = [`app.nephos.deployment=${deployment.id}`];
      expect(await daemon.docker.listImages({ filters: { label } })).toEqual([]);
    } finally {
      world.deps.settings.billing = false;
    }
  });

  test('of a site gives its files', async () => {
    const built = await deployNew(
      {
        Dockerfile: `FROM ${SMALL}\nWORKDIR /made\nRUN mkdir public && echo hi > public/index.html && ln -s index.html public/second && ln public/index.html public/third\n`,
      },
      { framework: 'static', settings: { outputDirectory: 'public' } },
    );
    expect(built.deployment.error, built.log).toBe(null);
    expect(await ask(built.project)).toBe('hi\n');
    expect(await ask(built.project, '/second')).toBe('hi\n');
    expect(await ask(built.project, '/third')).toBe('hi\n');
    const out = await deployNew(
      {
        Dockerfile: `FROM ${SMALL}\nRUN mkdir /out && echo hi > /out/index.html && ln -s /etc/passwd /out/leak\n`,
      },
      { framework: 'static', settings: { outputDirectory: 'out' } },
    );
    // What follows is not read.
    const cut = await deployNew(
      {
        Dockerfile: `FROM ${SMALL}\nVOLUME /kept\nRUN mkdir /out && echo hi > /out/index.html && busybox mkfifo /out/a && busybox dd if=/dev/zero of=/out/b bs=1M count=32\n`,
      },
      { framework: 'static', settings: { outputDirectory: 'out' } },
    );
    expect(cut.deployment.error, cut.log).toBe(
      'Build failed: the site cannot be served because a is neither a file nor a folder.',
    );
    const volumes = (await daemon.docker.listVolumes()).Volumes ?? [];
    expect(
      volumes.filter(
        ({ Labels }) => Labels[LABELS.project] === cut.project.id && !(LABELS.builder in Labels),
      ),
    ).toEqual([]);
    expect(out.deployment.error).toBe(
      'Build failed: the site cannot be served because the link leak leads out of the site.',
    );
    const label = [`app.nephos.project=${built.project.id}`];
    expect(await daemon.docker.listImages({ filters: { label } })).toEqual([]);
    const containers = await daemon.docker.listContainers({ all: true, filters: { label } });
    expect(containers.filter(({ Labels }) => !(LABELS.builder in Labels))).toEqual([]);
  });
});

describe.skipIf(!runnable)('without a Dockerfile', OF_TESTS, () => {
  test('a Node.js app is built by one that it can be given, as nobody special', async () => {
    const files = nodeAppWithPackage('packed');
    const built = await deployNew(
      {
        ...files,
        'build.js': `${files['build.js']}require('node:fs').writeFileSync('uid', String(process.getuid()) + process.env.WORD);`,
        'server.js': `const text = require('./built.json') + require('node:fs').readFileSync('uid', 'utf8') + process.getuid();
require('node:http').createServer((_, response) => response.end(text)).listen(process.env.PORT, process.env.HOST);`,
        Procfile: 'clock: node -e "setInterval(() => {}, 1000)"\n',
      },
      { variables: [{ name: 'WORD', value: 'sesame-open', scope: 'build' }] },
    );
    expect(built.deployment.error, built.log).toBe(null);
    expect(await ask(built.project)).toBe('packed10001sesame-open10001');
    const { text, headers } = await ada.rest(`GET /api/projects/${built.project.id}/dockerfile`);
    expect(headers.get('content-disposition')).toBe('attachment; filename="Dockerfile"');
    expect(built.log).toContain(text);
    const processes = await ada.rpc.processes.list.query({ id: built.project.id });
    expect(processes.map(({ name }) => name)).toEqual(expect.arrayContaining(['web', 'clock']));
  });

  test('a site is built, and only its files are kept', async () => {
    const built = await deployNew(builtSite('<h1>Site</h1>'), { framework: 'static' });
    expect(built.deployment.error, built.log).toBe(null);
    expect(await ask(built.project)).toBe('<h1>Site</h1>');
    expect(await ask(built.project, '/assets/app.js')).toBe('console.log(1)');
    expect(built.deployment.imageDigest).toBe(null);
  });

  test('a language that has no builder is told to have one, and a base image that is away its setting', async () => {
    const go = await deployNew({ 'go.mod': 'module x\n', 'main.go': 'package main\n' });
    expect(go.deployment.error).toBe(
      'The repository has no package.json. Node.js apps need one. It has go.mod (Go). Add a Dockerfile to deploy it.',
    );
    const python = await deployNew({ 'main.py': 'print(1)\n' }, { framework: 'python' });
    expect(python.deployment.error).toBe(whyNot('python:3.13', 'BASE_IMAGE_PYTHON'));
    const { error } = await install(
      ada,
      'radicale',
      { name: 'Calendar', password: 'correct horse battery' },
      OF_BUILDS,
    );
    expect(error).toContain(whyNot('debian:trixie', 'BASE_IMAGE_DEBIAN'));
  });
});
