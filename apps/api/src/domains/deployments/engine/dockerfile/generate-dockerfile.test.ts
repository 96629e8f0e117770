import { DETECTED_SETTINGS, type Framework, type RunSettings } from '@nephos/contracts';
import { describe, expect, it } from 'vitest';
import { snapshot, type Tree } from '../../../../../test/deployments/snapshots.ts';
import { readSettings } from '../../../../core/env.ts';
import { detect } from '../detect/detect.ts';
import { onDebianImage } from './base-image.ts';
import { generateDockerfile } from './generate-dockerfile.ts';

const IMAGES = {
  node: 'node:{version}-slim',
  python: 'python:{version}-slim',
  debian: 'debian:{version}-slim',
  static: 'example.com/nginx:1',
};

interface Case {
  settings?: Partial<RunSettings>;
  variables?: string[];
  toolSettings?: string[];
  place?: { folder: string; above: Tree };
}

function dockerfile(
  framework: Framework,
  files: Tree,
  { settings = {}, variables = [], toolSettings = [], place }: Case = {},
) {
  const seen = snapshot(files, place);
  const plan = detect(framework, seen, { ...DETECTED_SETTINGS, ...settings });
  const port = settings.port ?? 3000;
  return generateDockerfile({
    ...{ framework, plan, snapshot: seen, images: IMAGES, port, variables, toolSettings },
  });
}

/** Lines of the stage that begins with this one, without those that go on. */
function stage(text: string, from: string): string[] {
  const paragraph = text
    .trimEnd()
    .split('\n\n')
    .find((part) => part.split('\n').includes(from));
  return (paragraph ?? '').replaceAll(/ \\\n +/g, ' ').split('\n');
}

const APP = { name: 'app', scripts: { start: 'node server.js' }, dependencies: { express: '5' } };
const RUN = 'RUN --mount=type=cache,target=/cache,uid=10001,gid=10001';

describe('a Node.js app', () => {
  it('installs by the lock file before it copies the code', () => {
    const { text, ignored } = dockerfile('nodejs', {
      'package.json': { ...APP, scripts: { ...APP.scripts, build: 'tsc' } },
      'package-lock.json': '{}',
      '.npmrc': '',
    });
    const lines = stage(text, 'FROM base AS build');
    const steps = lines.filter((line) => /^(COPY|RUN)/.test(line));
    expect(steps).toEqual([
      'COPY --chown=10001:10001 package.json package-lock.json .npmrc ./',
      `${RUN} npm ci --include=dev`,
      'COPY --chown=10001:10001 . /app',
      `${RUN} npm run build`,
    ]);
    expect(ignored).toBe('.git\n**/node_modules\n');
  });

  it('runs as nobody special, by the words of its start script', () => {
    const { text } = dockerfile('nodejs', { 'package.json': APP }, { settings: { port: 8080 } });
    expect(stage(text, 'FROM node:24-slim AS base')).toContain('USER 10001:10001');
    const last = stage(text, 'FROM base');
    expect(last).toEqual(
      expect.arrayContaining([
        'ENV HOST=0.0.0.0',
        'ENV PORT=8080',
        'EXPOSE 8080',
        'CMD ["node","server.js"]',
      ]),
    );
    expect(last.some((line) => line.startsWith('USER'))).toBe(false);
  });

  it.each([
    ['a workspace', { ...APP, workspaces: ['packages/*'] }, {}],
    ['a package in a folder', { ...APP, dependencies: { own: 'file:./own' } }, {}],
    ['a script after the install', { ...APP, scripts: { ...APP.scripts, postinstall: 'node x' } }, {}],
    ['a typed install', APP, { installCommand: 'make packages' }],
    ['a typed install of a folder', APP, { installCommand: 'npm install ./own' }],
  ])('copies everything before an install that may read anything: %s', (_, json, settings) => {
    const { text } = dockerfile('nodejs', { 'package.json': json }, { settings });
    const steps = stage(text, 'FROM base AS build').filter((line) => /^(COPY|RUN)/.test(line));
    expect(steps[0]).toBe('COPY --chown=10001:10001 . /app');
    expect(steps[1]).toMatch(/^RUN --mount=type=cache\S+ /);
  });

  it.each([
    ['', 'node:24-slim'],
    ['20', 'node:20-slim'],
    ['>=18', 'node:24-slim'],
    ['^20.10.0', 'node:20-slim'],
    ['20.11', 'node:20.11-slim'],
    ['22.11.0', 'node:22.11.0-slim'],
    ['<21', 'node:20-slim'],
    ['21.x', 'node:21-slim'],
  ])('begins with the image of the version %s that it asks for: %s', (node, image) => {
    const { text } = dockerfile('nodejs', { 'package.json': { ...APP, ...(node && { engines: { node } }) } });
    expect(text).toContain(`\nFROM ${image} AS base\n`);
  });

  it('brings the package manager that its lock file names', () => {
    const files = { 'package.json': { ...APP, packageManager: 'pnpm@9.1.0' }, 'pnpm-lock.yaml': '' };
    const { text } = dockerfile('nodejs', files, { toolSettings: ['npm_config_registry'] });
    const base = stage(text, 'FROM node:24-slim AS base');
    expect(base).toContain('RUN npm install --global --force pnpm@9.1.0');
    expect(base.indexOf('ARG npm_config_registry')).toBeLessThan(
      base.indexOf('RUN npm install --global --force pnpm@9.1.0'),
    );
  });

  it('works below the folder of the project, whatever that is called', () => {
    const place = { folder: 'apps/my [web] app', above: { 'package.json': {} } };
    const { text } = dockerfile('nodejs', { 'package.json': APP, 'package-lock.json': '{}' }, { place });
    const lines = stage(text, 'FROM base AS build');
    expect(lines).toContain(
      'COPY --chown=10001:10001 ["apps/my \\\\[web] app/package.json","apps/my \\\\[web] app/package-lock.json","./apps/my [web] app/"]',
    );
    expect(lines).toContain('WORKDIR /app/apps/my [web] app');
    expect(text).toContain(
      'PATH="/app/apps/my [web] app/node_modules/.bin:/app/apps/node_modules/.bin:/app/node_modules/.bin:$PATH"',
    );
  });

  it('names workers and the release command, and shells what refers to the environment', () => {
    const Procfile =
      'web: node server.js --port $PORT "a $b"\nclock: node clock.js\nrelease: node migrate.js';
    const { text } = dockerfile('nodejs', { 'package.json': APP, Procfile });
    const last = stage(text, 'FROM base');
    expect(last.at(-1)).toBe(
      `CMD ${JSON.stringify(['sh', '-c', 'exec node server.js --port "$PORT" "a $b"'])}`,
    );
    expect(last).toContain('# release: ["node","migrate.js"]');
    expect(last).toContain('# clock: ["node","clock.js"]');
  });
});

describe('secrets', () => {
  it('are read from where BuildKit mounts them, and change layers by a digest alone', () => {
    const { text } = dockerfile('nodejs', { 'package.json': APP }, { variables: ['NPM_TOKEN'] });
    const lines = stage(text, 'FROM base AS build');
    expect(lines.join('\n')).toMatch(
      /RUN --mount=type=cache\S+ --mount=type=secret,id=NPM_TOKEN,uid=10001 for file in .*; done; npm install/,
    );
    for (const start of ['FROM node:24-slim AS base', 'FROM base'])
      expect(stage(text, start).join('\n')).not.toMatch(/secret|DIGEST/);
  });
});

describe('a Python app', () => {
  it('installs into an environment of its own, before it copies the code', () => {
    const { text } = dockerfile('python', {
      'requirements.txt': 'flask\ngunicorn\n',
      'app.py': 'app = Flask(__name__)\n',
      '.python-version': '3.11\n',
    });
    expect(text).toContain('FROM python:3.11-slim AS base');
    const steps = stage(text, 'FROM base AS build').filter((line) => /^(COPY|RUN)/.test(line));
    expect(steps).toEqual([
      'RUN python -m venv /opt/venv',
      'COPY --chown=10001:10001 requirements.txt ./',
      `${RUN} python -m pip install --no-input -r requirements.txt`,
      'COPY --chown=10001:10001 . /app',
    ]);
    const last = stage(text, 'FROM base');
    expect(last).toContain('COPY --from=build --chown=10001:10001 /opt/venv /opt/venv');
    expect(last.at(-1)).toBe(
      `CMD ${JSON.stringify(['sh', '-c', 'exec gunicorn app:app --bind "$HOST:$PORT"'])}`,
    );
  });

  it('copies everything first where the requirements name files', () => {
    const files = { 'requirements.txt': '-e .\n', 'main.py': '' };
    const [, first] = stage(dockerfile('python', files).text, 'FROM base AS build').filter((line) =>
      /^(COPY|RUN)/.test(line),
    );
    expect(first).toBe('COPY --chown=10001:10001 . /app');
  });

  it('holds packages to the versions of a lock file', () => {
    const { text } = dockerfile('python', {
      'pyproject.toml': '[project]\nname = "x"\ndependencies = ["httpx>=0.2; python_version > \'3\'"]\n',
      'uv.lock': '[[package]]\nname = "httpx"\nversion = "0.28.1"\nsource = { registry = "x" }\n',
      'main.py': '',
    });
    const lines = stage(text, 'FROM base AS build');
    expect(lines).toContain("RUN printf '%s\\n' httpx==0.28.1 > /tmp/constraints.txt");
    expect(lines.at(-2)).toBe(
      `${RUN} python -m pip install --no-input 'httpx>=0.2; python_version > '\\''3'\\'''`,
    );
  });

  it('takes Node.js along for a package.json', () => {
    const files = { 'package.json': { engines: { node: '22' } }, 'main.py': '' };
    const { text } = dockerfile('python', files);
    expect(text).toContain('FROM node:22-slim AS node\n');
    expect(text).toContain('COPY --from=node /usr/local/ /usr/local/');
  });
});

describe('a site', () => {
  it('is built like an app, and served by the web server of the settings', () => {
    const json = { scripts: { build: 'vite build' }, devDependencies: { vite: '8' } };
    const { text } = dockerfile('static', { 'package.json': json });
    expect(stage(text, 'FROM base AS build').at(-1)).toBe(`${RUN} npm run build`);
    expect(stage(text, 'FROM example.com/nginx:1')).toEqual([
      expect.stringMatching(/^# The first of these that the build makes: dist, /),
      'FROM example.com/nginx:1',
      'COPY --from=build /app/dist /usr/share/nginx/html',
    ]);
  });

  it('without a build is a copy of its files', () => {
    const { text } = dockerfile('static', { 'index.html': '' });
    expect(text.split('\n').slice(2)).toEqual([
      'FROM example.com/nginx:1',
      'COPY . /usr/share/nginx/html',
      '',
    ]);
  });
});

describe('base images', () => {
  it.each(['node', 'registry.example.com:5000/a/node:{version}', `node@sha256:${'0'.repeat(64)}`])(
    'can be set to %s',
    (image) => {
      expect(readSettings({ BASE_IMAGE_NODE: image }).baseImages.node).toBe(image);
    },
  );

  it.each(['-node', 'node:{tag}', 'node:24 AS x\nRUN evil', 'Node', '$IMAGE'])('cannot be %j', (image) => {
    expect(() => readSettings({ BASE_IMAGE_NODE: image })).toThrow(/^BASE_IMAGE_NODE must be an image/);
  });

  it("is set for Debian's releases in the Dockerfiles of the marketplace, and in no other place of them", () => {
    const { baseImages } = readSettings({ BASE_IMAGE_DEBIAN: 'registry.example.com/debian:{version}' });
    const dockerfile = 'FROM debian:trixie-slim\nRUN echo FROM debian:trixie-slim\n';
    expect(onDebianImage(dockerfile, baseImages)).toBe(
      'FROM registry.example.com/debian:trixie\nRUN echo FROM debian:trixie-slim\n',
    );
    expect(onDebianImage(dockerfile, readSettings({}).baseImages)).toBe(dockerfile);
  });
});
