// Deploys public repositories twice each on a real server: `node repositories.ts <folder of mirrors> [parts of names]`.
// A mirror of owner/name is the Git folder owner+name, owner+name/repo or owner+name/repo/.git. Needs a registry of npm;
// Python's packages come from where the machine's pip gets them.
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { AppRun, Deployment, Framework, Project, RunSettings } from '@nephos/contracts';
import { type Console, startConsole } from './console.ts';

interface Example {
  kind: string;
  repository: string;
  framework: Framework;
  branch?: string;
  settings?: Partial<RunSettings>;
  variables?: Record<string, string>;
  /** A disk at a path of the app's folder, and a command that tells something which only this disk keeps. */
  disk?: { path: string; told: string };
}

const folder = (rootDirectory: string) => ({ settings: { rootDirectory } });

/** Prints what Uptime Kuma made up when it first started, and keeps in its database. */
const KUMA_SECRET = `node -e "new (require('@louislam/sqlite3').Database)('data/kuma.db').get(\\"select value from setting where key='jwtSecret'\\", (_, row) => console.log(row.value))"`;

const EXAMPLES: readonly Example[] = [
  { kind: 'Express', repository: 'render-examples/express-hello-world', framework: 'nodejs' },
  { kind: 'Express', repository: 'digitalocean/sample-nodejs', framework: 'nodejs' },
  { kind: 'Next.js', repository: 'render-examples/nextjs-hello-world', framework: 'nodejs' },
  { kind: 'Next.js', repository: 'vercel/next-learn', framework: 'nodejs', ...folder('basics/basics-final') },
  {
    kind: 'Next.js',
    repository: 'vercel/next-learn',
    framework: 'nodejs',
    ...folder('dashboard/final-example'),
  },
  { kind: 'Next.js', repository: 'timlrx/tailwind-nextjs-starter-blog', framework: 'nodejs' },
  { kind: 'Nest', repository: 'nestjs/typescript-starter', framework: 'nodejs' },
  { kind: 'SvelteKit', repository: 'render-examples/sveltekit', framework: 'nodejs' },
  { kind: 'SvelteKit', repository: 'sveltejs/realworld', framework: 'nodejs' },
  { kind: 'Remix', repository: 'render-examples/remix', framework: 'nodejs' },
  { kind: 'Angular', repository: 'gothinkster/angular-realworld-example-app', framework: 'nodejs' },
  { kind: 'Create React App', repository: 'render-examples/create-react-app', framework: 'nodejs' },
  { kind: 'Create React App', repository: 'flatlogic/react-dashboard', framework: 'nodejs' },
  { kind: 'Docusaurus', repository: 'render-examples/docusaurus', framework: 'static', ...folder('website') },
  { kind: 'Gatsby', repository: 'gatsbyjs/gatsby-starter-blog', framework: 'nodejs' },
  { kind: 'Eleventy', repository: '11ty/eleventy-base-blog', framework: 'nodejs' },
  { kind: 'Astro', repository: 'withastro/blog-tutorial-demo', framework: 'nodejs' },
  { kind: 'Hugo', repository: 'digitalocean/sample-hugo', framework: 'static' },
  { kind: 'Yarn 4', repository: '23cicada/react-router-tutorial', framework: 'nodejs' },
  {
    kind: 'Bun',
    repository: 'kiliman/bun-hono',
    framework: 'nodejs',
    disk: { path: 'data', told: 'ls -i data/app.db' },
  },
  { kind: 'Turborepo', repository: 'cmsparks/turbo-example', framework: 'nodejs', ...folder('apps/web') },
  {
    kind: 'Vue',
    repository: 'louislam/uptime-kuma',
    framework: 'nodejs',
    variables: { UPTIME_KUMA_DB_TYPE: 'sqlite' },
    disk: { path: 'data', told: KUMA_SECRET },
  },
  {
    kind: 'Vite',
    repository: 'tiangolo/full-stack-fastapi-template',
    framework: 'static',
    ...folder('frontend'),
  },
  {
    kind: 'HTML',
    repository: 'StartBootstrap/startbootstrap-clean-blog',
    framework: 'static',
    settings: { outputDirectory: 'dist' },
  },
  { kind: 'HTML', repository: 'h5bp/html5-boilerplate', framework: 'static', ...folder('dist') },
  { kind: 'Nuxt', repository: 'nuxt/starter', framework: 'nodejs', branch: 'v4' },
  { kind: 'Flask', repository: 'render-examples/flask-hello-world', framework: 'python' },
  { kind: 'FastAPI', repository: 'render-examples/fastapi', framework: 'python' },
  { kind: 'Django', repository: 'heroku/python-getting-started', framework: 'python' },
  { kind: 'Django', repository: 'railwayapp-templates/django', framework: 'python' },
  { kind: 'Django', repository: 'render-examples/django', framework: 'python' },
];

const DEPLOY_MS = 20 * 60_000;

interface Run {
  status: string;
  error: string | null;
  seconds: number;
  /** The end of its log, where it failed. */
  log: string;
}

function mirrorOf(mirrors: string, repository: string): string | undefined {
  const top = join(mirrors, repository.replace('/', '+'));
  return [top, join(top, 'repo'), join(top, 'repo/.git')].find((path) => existsSync(join(path, 'HEAD')));
}

async function deploy(console: Console, project: Project): Promise<Run> {
  const began = performance.now();
  const { id } = (await console.call('POST', `/api/projects/${project.id}/deployments`)) as Deployment;
  for (const deadline = Date.now() + DEPLOY_MS; Date.now() < deadline; await wait(100)) {
    const { status, error } = (await console.call('GET', `/api/deployments/${id}`)) as Deployment;
    if (!['queued', 'building', 'deploying'].includes(status)) {
      const seconds = (performance.now() - began) / 1000;
      if (status === 'running') return { status, error, seconds, log: '' };
      const { text } = (await console.call('GET', `/api/deployments/${id}/log-tail?lines=15`)) as {
        text: string;
      };
      return { status, error, seconds, log: text };
    }
  }
  return { status: 'still under way', error: null, seconds: DEPLOY_MS / 1000, log: '' };
}

/** What the app answers at its address. */
async function ask({ port }: Console, { slug }: Project): Promise<number> {
  return new Promise((done, fail) => {
    const headers = { host: `${slug}.localhost:${port}`, accept: 'text/html' };
    const call = request({ port, host: '127.0.0.1', headers }, (response) => {
      response.resume();
      done(response.statusCode ?? 0);
    });
    call.on('error', fail).end();
  });
}

/** What a command in the app's environment prints. */
async function tell(console: Console, project: Project, command: string): Promise<string> {
  const { id } = (await console.call('POST', `/api/projects/${project.id}/runs`, { command })) as AppRun;
  for (;;) {
    const { status } = (await console.call('GET', `/api/runs/${id}`)) as AppRun;
    if (status !== 'queued' && status !== 'running') break;
    await wait(100);
  }
  const response = await fetch(`${console.url}/api/runs/${id}/log`, { headers: { cookie: console.cookie } });
  return (await response.text()).trim();
}

async function tryOut(console: Console, example: Example, mirror: string) {
  const { repository, framework, branch = '', settings = {}, variables = {}, disk } = example;
  const project = (await console.call('POST', '/api/projects', {
    ...{ name: repository.split('/')[1], framework, branch, settings },
  })) as Project;
  for (const [name, value] of Object.entries(variables))
    await console.call('PUT', `/api/projects/${project.id}/variables/${name}`, { value });
  if (disk)
    await console.call('POST', `/api/projects/${project.id}/disks`, { name: 'data', path: disk.path });
  await console.call('PATCH', `/api/projects/${project.id}`, { repositoryUrl: `file://${mirror}` });
  const first = await deploy(console, project);
  const isUp = first.status === 'running';
  const answer = isUp ? await ask(console, project) : undefined;
  const before = isUp && disk ? await tell(console, project, disk.told) : '';
  const second = isUp ? await deploy(console, project) : undefined;
  const keeps = disk && before !== '' && before === (await tell(console, project, disk.told));
  const { detected } = (await console.call('GET', `/api/projects/${project.id}`)) as Project;
  await console.call('DELETE', `/api/projects/${project.id}`);
  return { first, second, answer, detected, keeps };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

const [mirrors, ...parts] = process.argv.slice(2);
if (!mirrors) throw new Error('name the folder of mirrors');
const server = await startConsole({ BILLING: 'off' });
const nameOf = ({ kind, repository, settings }: Example) =>
  `${kind}: ${[repository, settings?.rootDirectory].filter(Boolean).join('/')}`;
const isMeant = (example: Example) =>
  parts.length === 0 || parts.some((part) => nameOf(example).includes(part));
let running = 0;
let tried = 0;
try {
  for (const example of EXAMPLES.filter(isMeant)) {
    const title = nameOf(example);
    const mirror = mirrorOf(resolve(mirrors), example.repository);
    if (!mirror) {
      say(`- ${title}: there is no mirror`);
      continue;
    }
    tried += 1;
    const { first, second, answer, detected, keeps } = await tryOut(server, example, mirror);
    const isUp = answer !== undefined && answer < 500 && second?.status === 'running' && keeps !== false;
    if (isUp) running += 1;
    const ratio =
      second && `, again in ${second.seconds.toFixed(1)} s (${(first.seconds / second.seconds).toFixed(1)}×)`;
    const what = detected ? ` [${detected.framework}, ${detected.runtime ?? 'files'}]` : '';
    const kept = keeps === undefined ? '' : `, ${keeps ? 'keeps' : 'loses'} its data`;
    const result = first.error ?? second?.error ?? `answers ${answer}${kept}`;
    const load = `load ${loadavg()[0]?.toFixed(1)}`;
    say(
      `${isUp ? '✓' : '✗'} ${title}${what}: ${first.seconds.toFixed(1)} s${ratio ?? ''}; ${result} (${load})`,
    );
    const log = first.log || second?.log;
    if (log) say(log.replace(/^/gm, '    '));
  }
} finally {
  await server.stop();
}
say(`${running} of ${tried} run`);
