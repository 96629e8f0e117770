import { type PackageJson, uses } from './package-json.ts';
import { CannotRun } from './plan.ts';
import type { Snapshot } from './snapshot.ts';

/** What a framework of the Node.js world needs, where the repository does not say it itself. */
export interface NodeFramework {
  name: string;
  /** By which it was recognised. */
  package: string;
  /** Words of the build, for a repository without a build script. */
  build?: readonly string[];
  /** Words that start what the build made; absent: it makes a site. */
  start?: readonly string[];
  /** Where it puts a site, the likeliest first; absent: it makes none. */
  output?: readonly string[];
  /** Whether a site of one page is an app, which answers every path. */
  isApp?: boolean;
  /** Whether its start script is never what should run. */
  ignoresStart?: boolean;
  caches?: readonly string[];
  buildEnvironment?: Readonly<Record<string, string>>;
  note?: string;
}

interface Context {
  json: PackageJson;
  snapshot: Snapshot;
}

/** What a framework needs, without what it is called. */
type Needs = Omit<NodeFramework, 'name' | 'package'>;
type Recognise = (context: Context) => Needs;

/** The first whose packages are there is the framework: what builds upon another stands before it. */
const FRAMEWORKS: readonly (readonly [string, readonly string[], Recognise])[] = [
  ['Next.js', ['next'], next],
  ['Nuxt', ['nuxt', 'nuxt3', 'nuxt-edge'], nuxt],
  ['SvelteKit', ['@sveltejs/kit'], svelteKit],
  ['React Router', ['@react-router/serve', '@react-router/dev'], reactRouter],
  ['Remix', ['@remix-run/serve', '@remix-run/dev', '@remix-run/node'], remix],
  ['Astro', ['astro'], astro],
  ['Gatsby', ['gatsby'], () => ({ build: ['gatsby', 'build'], output: ['public'] })],
  ['Docusaurus', ['@docusaurus/core'], () => ({ build: ['docusaurus', 'build'], output: ['build'] })],
  ['VitePress', ['vitepress'], vitePress],
  [
    'Eleventy',
    ['@11ty/eleventy'],
    () => ({ build: ['eleventy'], output: ['_site', 'dist', 'public', 'build'] }),
  ],
  ['Angular', ['@angular/core'], angular],
  [
    'Vue CLI',
    ['@vue/cli-service'],
    () => ({ build: ['vue-cli-service', 'build'], output: ['dist'], isApp: true }),
  ],
  [
    'Create React App',
    ['react-scripts'],
    () => ({ build: ['react-scripts', 'build'], output: ['build'], isApp: true }),
  ],
  ['Nest', ['@nestjs/core'], nest],
  [
    'Hugo',
    ['hugo-bin', 'hugo-extended'],
    () => ({ build: ['hugo', '--gc', '--minify', '--baseURL', '/'], output: ['public'] }),
  ],
  ['Express', ['express'], () => ({})],
  ['Fastify', ['fastify'], () => ({})],
  ['Hono', ['hono'], () => ({})],
  ['Koa', ['koa'], () => ({})],
  ['Hapi', ['@hapi/hapi'], () => ({})],
  ['Vite', ['vite'], () => ({ build: ['vite', 'build'], output: ['dist'], isApp: true })],
];

/** The framework that package.json tells of; undefined where it is none that we know. Throws `CannotRun`. */
export function frameworkOf(json: PackageJson, snapshot: Snapshot): NodeFramework | undefined {
  const found = FRAMEWORKS.find(([, packages]) => uses(json, ...packages));
  if (!found) return undefined;
  const [name, packages, recognise] = found;
  const used = packages.find((one) => uses(json, one)) ?? '';
  return { name, package: used, ...recognise({ json, snapshot }) };
}

/** The text of a configuration file, whatever its extension is. */
function config({ texts }: Snapshot, name: string): string {
  const file = Object.keys(texts).find((key) => key.startsWith(`${name}.config.`));
  return (file && texts[file]) || '';
}

function next({ snapshot }: Context): Needs {
  const common = { build: ['next', 'build'], caches: ['.next/cache'] };
  if (/^[^/\n]*\boutput\s*:\s*['"`]export['"`]/m.test(config(snapshot, 'next'))) {
    return { ...common, output: ['out'], ignoresStart: true };
  }
  return { ...common, start: ['next', 'start'] };
}

function nuxt({ json }: Context): Needs {
  if (/\bgenerate\b/.test(json.scripts.build ?? ''))
    return { output: ['.output/public', 'dist'], isApp: true };
  const version = String(json.dependencies.nuxt ?? json.devDependencies.nuxt ?? '');
  if (/^[\^~]?[12]\./.test(version)) return { build: ['nuxt', 'build'], start: ['nuxt', 'start'] };
  return { build: ['nuxt', 'build'], start: ['node', '.output/server/index.mjs'] };
}

function svelteKit({ json, snapshot }: Context): Needs {
  const text = config(snapshot, 'svelte') || config(snapshot, 'vite');
  const names = (adapter: string) =>
    text.includes('@sveltejs/adapter-')
      ? text.includes(`@sveltejs/${adapter}`)
      : uses(json, `@sveltejs/${adapter}`);
  const build = ['vite', 'build'];
  if (names('adapter-node')) return { build, start: ['node', 'build'] };
  if (names('adapter-static')) return { build, output: ['build'], isApp: true };
  const foreign = /@sveltejs\/adapter-(vercel|netlify|cloudflare)[a-z-]*/.exec(text)?.[0];
  if (foreign) {
    throw new CannotRun(
      `SvelteKit is set to ${foreign}, which builds for another host. Use @sveltejs/adapter-node in svelte.config.js.`,
    );
  }
  return {
    build,
    start: ['node', 'build'],
    // adapter-auto goes by the host's variables; by this one it takes its adapter for Node.
    buildEnvironment: { GCP_BUILDPACKS: '1' },
    note: 'SvelteKit uses adapter-auto, which takes adapter-node here. Add @sveltejs/adapter-node to the project to build faster.',
  };
}

function reactRouter({ json, snapshot }: Context): Needs {
  const build = ['react-router', 'build'];
  if (/\bssr\s*:\s*false/.test(config(snapshot, 'react-router'))) {
    return { build, output: ['build/client'], isApp: true, ignoresStart: true };
  }
  if (!uses(json, '@react-router/serve')) return { build };
  return { build, start: ['react-router-serve', './build/server/index.js'] };
}

function remix({ json }: Context): Needs {
  const vite = uses(json, 'vite');
  const build = vite ? ['remix', 'vite:build'] : ['remix', 'build'];
  if (!uses(json, '@remix-run/serve')) return { build };
  return { build, start: ['remix-serve', vite ? './build/server/index.js' : './build/index.js'] };
}

function astro({ json, snapshot }: Context): Needs {
  const common = { build: ['astro', 'build'], caches: ['node_modules/.astro'] };
  if (uses(json, '@astrojs/node') && /\badapter\s*:/.test(config(snapshot, 'astro'))) {
    return { ...common, start: ['node', './dist/server/entry.mjs'] };
  }
  return { ...common, output: ['dist'] };
}

function vitePress({ json }: Context): Needs {
  const script = json.scripts['docs:build'] ?? json.scripts.build ?? '';
  const folder = /vitepress build ([\w./-]+)/.exec(script)?.[1]?.replace(/\/+$/, '');
  const roots = folder && folder !== '.' ? [`${folder}/`] : ['docs/', ''];
  return {
    build: ['npm', 'run', 'docs:build'],
    output: roots.map((root) => `${root}.vitepress/dist`),
  };
}

function nest({ json }: Context): Needs {
  const start = json.scripts['start:prod'] ? ['npm', 'run', 'start:prod'] : ['node', 'dist/main'];
  return { build: ['nest', 'build'], start };
}

/** Angular says in angular.json where a build goes: to a folder of its name, and for newer builders to one inside it. */
function angular({ snapshot }: Context): Needs {
  const build = ['ng', 'build'];
  const { name, builder, options } = angularProject(snapshot.texts['angular.json']);
  const path = options.outputPath;
  const base =
    typeof path === 'string'
      ? path
      : isRecord(path) && typeof path.base === 'string'
        ? path.base
        : `dist/${name}`;
  const browser = isRecord(path) && typeof path.browser === 'string' ? path.browser : 'browser';
  const plain = base.replace(/^\.\//, '').replace(/\/+$/, '');
  const caches = ['.angular/cache'];
  if (options.ssr && options.outputMode !== 'static') {
    return { build, start: ['node', `${plain}/server/server.mjs`], caches };
  }
  const inner = browser === '' ? plain : `${plain}/${browser}`;
  const output = builder.endsWith(':application') ? [inner, plain] : [plain, inner];
  return { build, output, isApp: true, caches };
}

function angularProject(text = '{}'): { name: string; builder: string; options: Record<string, unknown> } {
  const json = readJson(text);
  const projects = isRecord(json.projects) ? json.projects : {};
  const names = Object.keys(projects);
  const isApp = (key: string) => isRecord(projects[key]) && projects[key].projectType !== 'library';
  const name = String(json.defaultProject ?? names.find(isApp) ?? 'app');
  const project = isRecord(projects[name]) ? projects[name] : {};
  const targets = [project.architect, project.targets].find(isRecord) ?? {};
  const target = isRecord(targets.build) ? targets.build : {};
  return {
    name,
    builder: String(target.builder ?? ''),
    options: isRecord(target.options) ? target.options : {},
  };
}

function readJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    throw new CannotRun('angular.json is not valid JSON.');
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
