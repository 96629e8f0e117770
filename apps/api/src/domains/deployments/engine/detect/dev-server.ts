import type { PackageJson } from './package-json.ts';

const DEPTH = 3;

/** By program, which of its first arguments start a development server or a preview; '' stands for none. */
const DEVELOPING: Readonly<Record<string, readonly string[]>> = {
  vite: ['', 'dev', 'serve', 'preview'],
  'react-scripts': ['start'],
  'react-app-rewired': ['start'],
  craco: ['start'],
  ng: ['serve', 's', 'dev'],
  gatsby: ['develop', 'serve'],
  astro: ['', 'dev', 'start', 'preview'],
  next: ['', 'dev'],
  nuxt: ['', 'dev', 'preview'],
  nuxi: ['dev', 'preview'],
  docusaurus: ['start', 'serve'],
  'vue-cli-service': ['serve'],
  webpack: ['serve'],
  'webpack-dev-server': [''],
  vitepress: ['dev', 'serve', 'preview'],
  'svelte-kit': ['dev', 'preview'],
  'react-router': ['dev'],
  remix: ['dev', 'vite:dev'],
  nest: ['start'],
  hugo: ['server', 'serve'],
};

const WRAPPERS = new Set(['npx', 'cross-env', 'env', 'dotenv', '--']);
const MANAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);

/** Whether a script of package.json ends in a development server, which does not serve what was built. */
export function isDevServer(json: PackageJson, script: string, depth = 0): boolean {
  const last = script.split(/&&|\|\||;/).at(-1) ?? '';
  const words = last.trim().split(/\s+/).filter(Boolean);
  while (words[0] && (WRAPPERS.has(words[0]) || /^\w+=/.test(words[0]))) words.shift();
  const [program = '', ...args] = words;
  if (MANAGERS.has(program)) {
    const name = args.find((word) => word !== 'run' && !word.startsWith('-')) ?? '';
    const inner = json.scripts[name];
    return inner !== undefined && depth < DEPTH && isDevServer(json, inner, depth + 1);
  }
  if (program === 'eleventy' || program === '@11ty/eleventy') return args.some((arg) => arg === '--serve');
  if (program === 'parcel') return args[0] !== 'build';
  const first = args[0] ?? '';
  return DEVELOPING[program]?.includes(first.startsWith('-') ? '' : first) ?? false;
}
