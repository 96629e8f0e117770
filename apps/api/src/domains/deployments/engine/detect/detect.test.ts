import { DETECTED_SETTINGS, type Framework, type RunSettings } from '@nephos/contracts';
import { describe, expect, it } from 'vitest';
import { snapshot, type Tree } from '../../../../../test/deployments/snapshots.ts';
import { detect } from './detect.ts';
import type { Plan } from './plan.ts';

const plan = (framework: Framework, files: Tree, settings: Partial<RunSettings> = {}) =>
  detect(framework, snapshot(files), { ...DETECTED_SETTINGS, ...settings });

/** The words of `web`, or where a site lies. */
const served = ({ serve }: Plan) => ('kind' in serve ? serve.processes[0].argv.join(' ') : serve.folders);

const PACKAGE = { scripts: { build: 'tsc', start: 'node server.js' }, devDependencies: { typescript: '7' } };

describe('nodejs', () => {
  it.each([
    ['npm with a lock file', { 'package-lock.json': '' }, ['npm', 'ci', '--include=dev']],
    ['npm without one', {}, ['npm', 'install', '--include=dev']],
    [
      'pnpm',
      { 'pnpm-lock.yaml': "lockfileVersion: '9.0'" },
      ['pnpm', 'install', '--frozen-lockfile', '--prod=false'],
    ],
    [
      'yarn 1',
      { 'yarn.lock': '# yarn lockfile v1' },
      ['yarn', 'install', '--frozen-lockfile', '--production=false'],
    ],
    ['yarn 4', { 'yarn.lock': '__metadata:\n  version: 8' }, ['yarn', 'install', '--immutable']],
    ['bun', { 'bun.lock': '{}' }, ['bun', 'install', '--frozen-lockfile']],
  ])('installs by %s', (_, files, argv) => {
    const { install, build } = plan('nodejs', { 'package.json': PACKAGE, ...files });
    expect(install.map((command) => command.argv)).toEqual([argv]);
    expect(build).toHaveLength(1);
  });

  it.each([
    ['pnpm@9.1.0+sha512.abc', 'pnpm-lock.yaml', '', 'pnpm@9.1.0'],
    ['pnpm@latest', 'pnpm-lock.yaml', "lockfileVersion: '6.0'", 'pnpm@8'],
    ['pnpm@9.1.0 --evil', 'pnpm-lock.yaml', '', 'pnpm@10'],
    ['yarn@1.22.0', 'pnpm-lock.yaml', '', 'pnpm@10'],
    ['', 'yarn.lock', '__metadata:', '@yarnpkg/cli-dist@4'],
    ['yarn@3.6.1', 'yarn.lock', '__metadata:', '@yarnpkg/cli-dist@3.6.1'],
    ['yarn@1.22.19', 'package.json', '', 'yarn@1.22.19'],
  ])('brings the manager of %j and %s', (packageManager, lock, text, tool) => {
    const files = {
      ...(lock === 'package.json' ? {} : { [lock]: text }),
      'package.json': { ...PACKAGE, packageManager },
    };
    const { tools } = plan('nodejs', files);
    expect(tools.map(({ package: name, version }) => `${name}@${version}`)).toEqual([tool]);
  });

  it('starts by Yarn what only Yarn finds the packages of, and lets it make a lock file', () => {
    const json = {
      packageManager: 'yarn@4.9.1',
      scripts: { start: 'node server.js' },
      dependencies: { a: '1' },
    };
    const found = plan('nodejs', { 'package.json': json });
    expect(found.install[0]?.argv).toEqual(['yarn', 'install', '--no-immutable']);
    expect(served(found)).toBe('yarn node server.js');
    const tool = { ...json, scripts: { start: 'serve dist' } };
    expect(served(plan('nodejs', { 'package.json': tool }))).toBe('yarn run serve dist');
    expect(served(plan('nodejs', { 'package.json': json, '.yarnrc.yml': 'nodeLinker: node-modules' }))).toBe(
      'node server.js',
    );
  });

  it('tells pnpm alone to copy packages, since npm complains about settings of others', () => {
    const environment = (files: Tree) =>
      plan('nodejs', { 'package.json': PACKAGE, ...files }).buildEnvironment;
    expect(environment({ 'pnpm-lock.yaml': '' })).toMatchObject({
      npm_config_package_import_method: 'clone-or-copy',
    });
    expect(environment({ 'package-lock.json': '' })).toEqual({});
  });

  it('installs nothing where there is nothing to install', () => {
    expect(plan('nodejs', { 'package.json': { main: 'a.js' } }).install).toEqual([]);
    expect(
      plan('nodejs', { 'package.json': { main: 'a.js', scripts: { prepare: 'x' } } }).install,
    ).toHaveLength(1);
  });

  it.each([
    [{ scripts: { start: 'node server.js --a=1' } }, ['node', 'server.js', '--a=1']],
    [{ scripts: { start: 'next start' } }, ['next', 'start']],
    [{ scripts: { start: 'A=1 node server.js' } }, ['npm', 'run', 'start']],
    [{ scripts: { start: 'node a.js && node b.js' } }, ['npm', 'run', 'start']],
    [{ scripts: { start: 'vite preview --port $PORT' } }, ['npm', 'run', 'start']],
    [{ scripts: { start: 'cd dist' } }, ['npm', 'run', 'start']],
    [{ scripts: { start: 'node a.js', prestart: 'x' } }, ['npm', 'run', 'start']],
    [{ main: './dist/main.js' }, ['node', 'dist/main.js']],
    [{ main: '--eval=1' }, ['node', 'index.js']],
    [{}, ['node', 'index.js']],
  ])('starts %j', (json, argv) => {
    expect(plan('nodejs', { 'package.json': json, 'index.js': '' }).serve).toMatchObject({
      processes: [{ name: 'web', argv }],
    });
  });

  it.each([
    [{ 'index.html': '' }, 'The repository has no package.json. Node.js apps need one.'],
    [{ 'package.json': '{' }, 'package.json is not valid JSON.'],
    [{ 'package.json': '[]' }, 'package.json is not a JSON object.'],
    [{ 'package.json': {} }, 'neither a start script nor a main file'],
    [
      { 'package.json': { main: 'a.js', engines: { node: 'new' } } },
      'asks for Node.js "new", which is not a version',
    ],
    [
      {
        'package.json': { dependencies: { '@sveltejs/kit': '2' } },
        'svelte.config.js': "from '@sveltejs/adapter-vercel'",
      },
      'Use @sveltejs/adapter-node',
    ],
  ])('refuses %j', (files, reason) => {
    expect(() => plan('nodejs', files)).toThrow(reason);
  });

  it.each([
    ['the settings', { nodeVersion: '18' }, {}, '18'],
    ['.nvmrc', {}, { '.nvmrc': 'lts/jod\n' }, '22'],
    ['.nvmrc', {}, { '.nvmrc': 'v20.11.1', '.node-version': '18' }, '20.11.1'],
    ['volta in package.json', {}, { 'package.json': { main: 'a', volta: { node: '20.1.0' } } }, '20.1.0'],
    [
      'engines in package.json',
      {},
      { 'package.json': { main: 'a', engines: { node: '>=18 <21' } } },
      '>=18 <21',
    ],
  ])('takes the version of Node from %s', (source, settings, files, range) => {
    expect(plan('nodejs', { 'package.json': { main: 'a' }, ...files }, settings).node).toEqual({
      range,
      source,
    });
  });

  const uses = (dependencies: Record<string, string>, scripts: Record<string, string> = {}) => ({
    'package.json': { dependencies, scripts },
  });

  it.each<[string, Tree, string, string | string[]]>([
    ['Next.js', uses({ next: '15' }, { start: 'next start' }), 'next build', 'next start'],
    ['Next.js', uses({ next: '15' }, { start: 'next dev' }), 'next build', 'next start'],
    ['Next.js', { ...uses({ next: '15' }), 'next.config.ts': "  output: 'export'," }, 'next build', ['out']],
    [
      'Nuxt',
      uses({ nuxt: '^4.0.0' }, { build: 'nuxt build' }),
      'npm run build',
      'node .output/server/index.mjs',
    ],
    ['SvelteKit', uses({ '@sveltejs/kit': '2', '@sveltejs/adapter-node': '5' }), 'vite build', 'node build'],
    ['SvelteKit', uses({ '@sveltejs/kit': '2', '@sveltejs/adapter-static': '3' }), 'vite build', ['build']],
    ['SvelteKit', uses({ '@sveltejs/kit': '2', '@sveltejs/adapter-auto': '3' }), 'vite build', 'node build'],
    [
      'Remix',
      uses({ '@remix-run/serve': '2', vite: '5' }),
      'remix vite:build',
      'remix-serve ./build/server/index.js',
    ],
    ['Astro', uses({ astro: '5' }, { start: 'astro dev', build: 'astro build' }), 'npm run build', ['dist']],
    [
      'Astro',
      { ...uses({ astro: '5', '@astrojs/node': '9' }), 'astro.config.mjs': 'adapter: node()' },
      'astro build',
      'node ./dist/server/entry.mjs',
    ],
    [
      'Nest',
      uses({ '@nestjs/core': '11' }, { start: 'nest start', 'start:prod': 'node dist/main' }),
      'nest build',
      'npm run start:prod',
    ],
    [
      'Create React App',
      uses({ 'react-scripts': '5' }, { start: 'react-scripts start' }),
      'react-scripts build',
      ['build'],
    ],
    ['Vite', uses({ vite: '7' }, { start: 'npm run dev', dev: 'vite --host' }), 'vite build', ['dist']],
    ['Vite', uses({ vite: '7' }, { start: 'node server.js' }), 'vite build', 'node server.js'],
    ['Express', uses({ express: '5' }, { start: 'node app.js' }), '', 'node app.js'],
    ['Gatsby', uses({ gatsby: '5' }, { start: 'gatsby develop' }), 'gatsby build', ['public']],
    [
      'Eleventy',
      uses({ '@11ty/eleventy': '3' }, { start: 'npx @11ty/eleventy --serve' }),
      'eleventy',
      ['_site', 'dist', 'public', 'build'],
    ],
  ])('runs %s', (framework, files, build, what) => {
    const found = plan('nodejs', files);
    expect(found.detected).toMatchObject({ framework, buildCommand: build });
    expect(served(found)).toEqual(what);
  });

  it.each([
    ['@angular/build:application', 'dist/shop', ['dist/shop/browser', 'dist/shop']],
    ['@angular/build:application', { base: 'out', browser: '' }, ['out', 'out']],
    ['@angular-devkit/build-angular:browser', 'dist/shop', ['dist/shop', 'dist/shop/browser']],
  ])('finds what Angular builds by %s in %j', (builder, outputPath, folders) => {
    const angular = { projects: { shop: { architect: { build: { builder, options: { outputPath } } } } } };
    const files = { ...uses({ '@angular/core': '20' }, { start: 'ng serve' }), 'angular.json': angular };
    expect(served(plan('nodejs', files))).toEqual(folders);
  });

  it('takes what is set in the place of what it finds, and says what it found', () => {
    const found = plan('nodejs', uses({ next: '15' }), {
      installCommand: 'npm ci --omit=dev',
      buildCommand: 'make && make assets',
      startCommand: 'node server.js --port $PORT',
      releaseCommand: 'npm run migrate',
    });
    expect(found.install).toMatchObject([{ argv: ['npm', 'ci', '--omit=dev'] }]);
    expect(found.build).toMatchObject([{ argv: ['sh', '-c', 'make && make assets'] }]);
    expect(found.release).toMatchObject({ argv: ['npm', 'run', 'migrate'], expand: false });
    expect(found.serve).toMatchObject({
      processes: [{ argv: ['node', 'server.js', '--port', '$PORT'], expand: true }],
    });
    expect(found.detected).toMatchObject({
      installCommand: 'npm install',
      processes: [{ command: 'next start' }],
    });
  });

  it('runs the processes of a Procfile, and those that are set', () => {
    const Procfile = 'release: node migrate.js\nweb: node a.js | tee log\nworker: node b.js\n';
    const processes = [
      { name: 'mailer', command: 'node c.js', instances: null, memory: null, cpu: null, tasks: null },
    ];
    const found = plan('nodejs', { 'package.json': { main: 'x.js' }, Procfile }, { processes });
    expect(found.release).toMatchObject({ argv: ['node', 'migrate.js'] });
    expect(found.detected.releaseCommand).toBe('node migrate.js');
    expect(found.serve).toMatchObject({
      processes: [
        { name: 'web', argv: ['sh', '-c', 'node a.js | tee log'] },
        { name: 'worker', argv: ['node', 'b.js'] },
        { name: 'mailer', argv: ['node', 'c.js'] },
      ],
    });
  });

  describe('in a folder', () => {
    const inside = (above: Tree, files: Tree = uses({ next: '15' }, { build: 'next build' })) =>
      detect('nodejs', snapshot(files, { folder: 'apps/web', above }), DETECTED_SETTINGS);
    const lock = { 'pnpm-lock.yaml': "lockfileVersion: '9.0'" };

    it.each([
      ['npm', { 'package.json': { workspaces: ['apps/*'] }, 'package-lock.json': '' }, 'npm ci'],
      [
        'pnpm',
        { ...lock, 'pnpm-workspace.yaml': 'packages:\n  - "apps/**"\n  - "!apps/docs"\n' },
        'pnpm install --frozen-lockfile',
      ],
    ])('installs the workspace of %s at its root', (_, above, label) => {
      const found = inside(above);
      expect(found.install).toMatchObject([{ folder: '', label }]);
      expect(found.build).toMatchObject([{ folder: 'apps/web' }]);
      expect(found.serve).toMatchObject({
        processes: [
          {
            argv: ['sh', '-c', 'cd -- "$0" && exec "$@"', './apps/web', 'next', 'start'],
            label: 'next start',
          },
        ],
      });
    });

    it('installs in the folder where no workspace has it', () => {
      const found = inside({ ...lock, 'pnpm-workspace.yaml': 'packages: [packages/*]' });
      expect(found.install).toMatchObject([
        { folder: 'apps/web', argv: ['npm', 'install', '--include=dev'] },
      ]);
    });

    it('builds by Turborepo what the folder needs', () => {
      const json = { workspaces: ['apps/*'], devDependencies: { turbo: '2' } };
      const found = inside({ 'package.json': json, 'package-lock.json': '', 'turbo.json': '{}' });
      expect(found.build).toMatchObject([
        { argv: ['turbo', 'run', 'build', '--filter=./apps/web'], folder: '' },
      ]);
    });
  });

  it('survives fields of another type', () => {
    const json = { scripts: { start: 1, build: null }, main: 5, dependencies: [], packageManager: {} };
    expect(plan('nodejs', { 'package.json': json, 'server.js': '' })).toMatchObject({
      install: [],
      build: [],
    });
  });
});

describe('static', () => {
  it('builds, or serves the root or public', () => {
    expect(plan('static', { 'package.json': PACKAGE }).serve).toMatchObject({ mayBeSinglePage: true });
    expect(served(plan('static', { 'package.json': {}, 'index.html': '' }))).toEqual(['.']);
    expect(served(plan('static', { public: '' }))).toEqual(['public']);
    expect(served(plan('static', { 'index.html': '' }, { outputDirectory: 'site' }))).toEqual(['site']);
    expect(() => plan('static', { 'main.py': '' })).toThrow('Static sites need one of them.');
  });

  it.each([
    [{ vite: '8' }, ['dist', 'build', 'out', 'public', '_site'], true],
    [{ 'react-scripts': '5' }, ['build', 'dist', 'out', 'public', '_site'], true],
    [
      { vitepress: '1' },
      ['docs/.vitepress/dist', '.vitepress/dist', 'dist', 'build', 'out', 'public', '_site'],
      false,
    ],
    [{ astro: '5' }, ['dist', 'build', 'out', 'public', '_site'], false],
    [{ 'left-pad': '1' }, ['dist', 'build', 'out', 'public', '_site'], true],
  ])('looks for the site of %j where that tool puts it', (devDependencies, folders, mayBeSinglePage) => {
    const json = { scripts: { build: 'x' }, devDependencies };
    expect(plan('static', { 'package.json': json }).serve).toEqual({ folders, mayBeSinglePage, advice: '' });
  });

  it('runs Hugo where it is installed', () => {
    const files = snapshot({ 'hugo.toml': '', content: '' });
    expect(() => detect('static', files, DETECTED_SETTINGS)).toThrow("Hugo isn't installed on this server");
    const found = detect('static', files, DETECTED_SETTINGS, { hugo: true, containers: false });
    expect(found).toMatchObject({ detected: { framework: 'Hugo' }, serve: { folders: ['public'] } });
  });
});

describe('python', () => {
  const started = (files: Tree) => {
    const { serve } = plan('python', files);
    return 'kind' in serve ? serve.processes[0] : undefined;
  };

  it.each([
    ['gunicorn app:app --bind 0.0.0.0:$PORT', ['gunicorn', 'app:app', '--bind', '0.0.0.0:$PORT'], true],
    ['python -m x "two words" \'one\'', ['python', '-m', 'x', 'two words', 'one'], true],
    [`uvicorn a:b --port=\${PORT}`, ['uvicorn', 'a:b', `--port=\${PORT}`], true],
    ['a && b', ['sh', '-c', 'a && b'], false],
    ['X=1 a', ['sh', '-c', 'X=1 a'], false],
    [`a \${P:-1}`, ['sh', '-c', `a \${P:-1}`], false],
    ['cd x', ['sh', '-c', 'cd x'], false],
    ['a *.py', ['sh', '-c', 'a *.py'], false],
  ])('starts web: %s', (line, argv, expand) => {
    expect(started({ Procfile: `worker: x\nweb: ${line}\n` })).toMatchObject({ argv, expand });
  });

  const requirements = (...names: string[]) => ({ 'requirements.txt': names.join('\n') });
  const manage = `os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")`;

  it.each<[string, Tree, string]>([
    [
      'Flask',
      { ...requirements('Flask==3', 'gunicorn'), 'app.py': 'app = Flask(__name__)' },
      'gunicorn app:app --bind $HOST:$PORT',
    ],
    [
      'Flask',
      { ...requirements('flask'), 'app.py': 'app = flask.Flask(__name__)' },
      'flask --app app:app run --host $HOST --port $PORT',
    ],
    [
      'FastAPI',
      { ...requirements('fastapi', 'uvicorn[standard]'), 'app/main.py': 'api: FastAPI = FastAPI(' },
      'uvicorn app.main:api --host $HOST --port $PORT',
    ],
    [
      'FastAPI',
      { ...requirements('fastapi[standard]>=0.1'), 'main.py': 'app = FastAPI()' },
      'uvicorn main:app --host $HOST --port $PORT',
    ],
    [
      'Django',
      { ...requirements('Django', 'gunicorn'), 'manage.py': manage },
      'gunicorn shop.wsgi --bind $HOST:$PORT',
    ],
    [
      'Django',
      { ...requirements('Django'), 'manage.py': manage },
      'python manage.py runserver --noreload $HOST:$PORT',
    ],
    ['Python', { 'app.py': '' }, 'python app.py'],
  ])('starts %s', (framework, files, line) => {
    expect(started(files)).toMatchObject({ label: line, expand: true });
    expect(plan('python', files).detected.framework).toBe(framework);
  });

  it('refuses what nothing serves or starts', () => {
    expect(() => plan('python', { 'package.json': '' })).toThrow('Python apps need one of them.');
    const files = { ...requirements('fastapi'), 'main.py': 'app = FastAPI()' };
    expect(() => plan('python', files)).toThrow('Add uvicorn to its requirements.');
  });

  it.each<[string, Tree, string | undefined]>([
    ['.python-version', { '.python-version': '3.12.4\n' }, '3.12'],
    ['runtime.txt', { 'runtime.txt': 'python-3.11.9' }, '3.11'],
    [
      'pyproject.toml',
      { 'pyproject.toml': '[project]\nrequires-python = ">=3.10,!=3.11.1,<4"' },
      '>=3.10 <4',
    ],
    ['pyproject.toml', { 'pyproject.toml': '[tool.poetry.dependencies]\npython = "^3.10"' }, '^3.10'],
    ['Pipfile', { Pipfile: '[requires]\npython_version = "3.9"' }, '3.9'],
  ])('takes the version from %s', (source, files, range) => {
    expect(plan('python', { 'app.py': '', ...files }).python).toEqual({ source, range });
  });

  it.each<[string, Tree, string[], string]>([
    [
      'pyproject.toml',
      { 'pyproject.toml': '[project]\ndependencies = ["flask>=3", "x[y]~=1.0"]' },
      ['flask>=3', 'x[y]~=1.0'],
      '',
    ],
    [
      'Poetry',
      {
        'pyproject.toml':
          '[tool.poetry.dependencies]\npython = "^3.10"\nflask = "^3.0.1"\nx = { version = "*", optional = true }',
        'poetry.lock':
          '[[package]]\nname = "flask"\nversion = "3.0.2"\n[[package]]\nname = "two"\nversion = "1"\n[[package]]\nname = "two"\nversion = "2"',
      },
      ['flask>=3.0.1,<4.0.0'],
      'flask==3.0.2\n',
    ],
    [
      'Pipenv',
      { Pipfile: '[packages]\nflask = "*"', 'Pipfile.lock': { default: { flask: { version: '==3.0.2' } } } },
      ['flask'],
      'flask==3.0.2\n',
    ],
  ])('installs the packages of %s', (_, files, packages, constraints) => {
    const found = plan('python', { 'app.py': '', ...files });
    expect(found.install[0]?.argv.slice(5)).toEqual(packages);
    expect(found.constraints).toBe(constraints);
  });
});
