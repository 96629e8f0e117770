import type { AssistantMessage, Deployment, ManagedDatabase, Project } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chooseIntent } from '../src/domains/assistant/local/choose-intent.ts';
import { diagnose } from '../src/domains/assistant/local/intents/causes.ts';
import { DOCKERFILES } from '../src/domains/assistant/local/intents/dockerfiles.ts';
import { INTENTS } from '../src/domains/assistant/local/intents.ts';
import { createLocalResponder } from '../src/domains/assistant/local/local-responder.ts';
import { block, bold, code } from '../src/domains/assistant/local/markdown.ts';
import { readQuestion } from '../src/domains/assistant/local/question.ts';
import type { Turn } from '../src/domains/assistant/responder.ts';
import { NOT_OURS, PHRASINGS } from './assistant-phrasings.ts';
import { chat, converse, eventually, wordsOf } from './assistant-world.ts';
import { ScriptedEngine } from './fixtures/scripted-engine.ts';
import { type Files, startGitServer } from './git-server.ts';
import { makeToken, pushImage, registryClient } from './registry-client.ts';
import { createWorld, type Person, type World } from './world.ts';

function intentOf(question: string, scope: Turn['scope'] = 'general'): string {
  return chooseIntent(readQuestion(question), scope)?.name ?? '';
}

describe('a question', () => {
  const phrasings = PHRASINGS.map(([question, intent, scope]) => ({ question, intent, scope }));
  test.each(phrasings)('"$question" is answered by $intent', ({ question, intent, scope }) => {
    expect(intentOf(question, scope)).toBe(intent);
  });

  test.each(NOT_OURS)('"%s" is left to a model', (question) => {
    expect(intentOf(question)).toBe('');
  });

  test('is understood in each way that the help offers', () => {
    for (const { name, example, scopes } of INTENTS) {
      if (example !== '') expect(intentOf(example, scopes[0]), example).toBe(name);
    }
  });

  test('of any length is read at once', () => {
    const began = performance.now();
    intentOf('deploymnet faild '.repeat(500));
    intentOf('a'.repeat(8000));
    expect(performance.now() - began).toBeLessThan(500);
  });
});

describe('the cause of a failed deployment', () => {
  const failed = (step: Deployment['step'], error: string) => ({ step, error }) as Deployment;
  test.each([
    [
      'detect',
      'The package.json of this repository has neither a start script nor a main file, and there is no server.js or index.js.',
      '',
      'no start script',
      '"start"',
    ],
    [
      'detect',
      'This repository has no package.json, which the framework nodejs needs. It has main.py: choose the framework python.',
      '',
      'package.json',
      'Settings',
    ],
    ['clone', 'The repository cannot be cloned: it has no branch "mian".', '', '`mian`', 'branch'],
    [
      'start',
      'The start step failed: npm start did not listen on port 41234 within 60 seconds. It must listen on the port in the variable PORT.',
      '',
      '41234',
      'process.env.PORT',
    ],
    [
      'start',
      'The start step failed: npm start ended with exit code 1.',
      'Error: listen EADDRINUSE: address already in use :::3000\n',
      '3000',
      '`PORT`',
    ],
    [
      'start',
      'The start step failed: npm start ended with exit code 1.',
      "Error: Cannot find module 'express'\nRequire stack:",
      '`express`',
      'npm install express',
    ],
    [
      'start',
      'The start step failed: npm start ended with exit code 1.',
      "Error: Cannot find module './Routes/users'",
      '`./Routes/users`',
      'upper and lower case',
    ],
    [
      'start',
      'The start step failed: python main.py ended with exit code 1.',
      "Traceback\nModuleNotFoundError: No module named 'flask.ext'",
      '`flask.ext`',
      'requirements.txt',
    ],
    [
      'install',
      'The install step failed: npm ci ended with exit code 1. The log says why.',
      'npm error code EUSAGE\nnpm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.',
      'lockfile',
      'npm install',
    ],
    [
      'install',
      'The install step failed: npm ci ended with exit code 1. The log says why.',
      'npm error code ERESOLVE',
      'do not go together',
      'lockfile',
    ],
    [
      'install',
      'The install step failed: pip install ended with exit code 1. The log says why.',
      'ERROR: No matching distribution found for djangoo==9',
      '`djangoo==9`',
      'requirements.txt',
    ],
    [
      'build',
      'The build step failed: npm run build ended with exit code 2. The log says why.',
      "src/a.ts(1,2): error TS2322: Type 'string' is not assignable",
      'TypeScript',
      'build locally',
    ],
    [
      'build',
      'The build step made no site: there is no index.html in dist, build.',
      '',
      'index.html',
      '`dist`',
    ],
    [
      'start',
      'The start step failed: npm start ended with exit code 1.',
      'Error: connect ECONNREFUSED 127.0.0.1:5432',
      'ECONNREFUSED 127.0.0.1:5432',
      'Environment',
    ],
    [
      'start',
      'The start step failed: python app.py ended with exit code 1.',
      "KeyError: 'DATABASE_URL'",
      '`DATABASE_URL`',
      'Environment',
    ],
    [
      'build',
      'The build step failed.',
      'FATAL ERROR: Reached heap limit - JavaScript heap out of memory',
      'memory',
      'memory',
    ],
    [
      'start',
      'The start step failed: npm start ended with exit code 0. An app must keep running.',
      '',
      'ended by itself',
      'listening',
    ],
    [
      'build',
      'The build step failed: npm run build was ended by SIGKILL. The log says why.',
      '',
      'memory',
      'workers',
    ],
    ['detect', 'Python is not available: there is no python3 on this server.', '', 'Python', 'venv'],
  ] as const)('at %s: "%s"', (step, error, log, cause, fix) => {
    const found = diagnose(failed(step, error), log);
    expect(found.cause).toContain(cause);
    expect(found.fix).toContain(fix);
  });

  test('that is not known is left to the lines of the log and the step’s advice', () => {
    const found = diagnose(
      failed('health', 'The health step failed: /x answered 500 for 30 seconds.'),
      'one\n\ntwo\nboom failed\nthree',
    );
    expect(found).toMatchObject({ cause: '', lines: 'one\ntwo\nboom failed\nthree' });
    expect(found.fix).toContain('health path');
  });

  test('is shown with the lines around it, however long the log', () => {
    const noise = Array.from({ length: 100 }, (_, n) => `line ${n}`).join('\n');
    const { lines } = diagnose(
      failed('start', 'x'),
      `${noise}\nError: Cannot find module 'express'\n${noise}`,
    );
    expect(lines).toContain("Error: Cannot find module 'express'");
    expect(lines.split('\n').length).toBeLessThan(12);
  });
});

describe('Markdown', () => {
  test('shows what people wrote as they wrote it', () => {
    expect(bold('[x](http://evil) **y**')).toBe('**\\[x\\]\\(http://evil\\) \\*\\*y\\*\\***');
    expect(code('a`b``c')).toBe('```a`b``c```');
    expect(block('text', 'x\n```\n# y\n')).toBe('````text\nx\n```\n# y\n````');
  });
});

describe('an answer', () => {
  let world: World;
  let engine: ScriptedEngine;
  let ada: Person;
  let eve: Person;
  let session: string;

  beforeAll(async () => {
    engine = new ScriptedEngine();
    world = await createWorld({ overrides: { engine, answerPace: 0 }, running: true });
    ada = await world.as('Ada');
    eve = await world.as('Eve');
    session = (await ada.rpc.assistant.createSession.mutate({})).id;
  });
  afterAll(async () => {
    for (const { end } of engine.runs) end({ status: 'failed', step: 'clone', error: 'The test is over.' });
    await world.close();
  });

  async function ask(question: string, resourceScope: Turn['scope'] = 'general', resourceId?: string) {
    const lines = await (
      await chat(world, ada, session, { message: question, resourceScope, resourceId })
    ).rest();
    const answer = wordsOf(lines);
    const messages = (await ada.rest(`GET /api/assistant/sessions/${session}/messages`))
      .body as AssistantMessage[];
    const last = messages.at(-1);
    expect(last).toMatchObject({ sender: 'assistant', content: answer, metadata: {} });
    const from = messages.findLastIndex(({ sender }) => sender === 'user');
    return { answer, tools: messages.slice(from + 1, -1).map(({ metadata }) => metadata.toolName) };
  }

  async function createProject(person: Person, name: string): Promise<Project> {
    const repositoryUrl = 'https://git.example.com/app.git';
    return (await person.rest('POST /api/projects', { body: { name, repositoryUrl } })).body as Project;
  }

  test('before there is anything says where to begin', async () => {
    expect((await ask('what do I have?')).answer).toBe(
      'You have nothing yet. Begin with **New Project** on **Deployments**.',
    );
    expect((await ask('what failed in my last deployment?')).answer).toContain('no projects yet');
    expect((await ask('which databases do I have')).answer).toContain('You have no databases yet');
  });

  test('names the true cause of the last failure, with the decisive lines and a way out', async () => {
    const project = await createProject(ada, 'Shop');
    const run = await engine.runOf(project.latestDeployment?.id ?? '');
    run.log.write('stdout', '> shop@1.0.0 start\n> node server.js\n\n');
    run.log.write('stderr', "node:internal/modules/cjs/loader:1228\nError: Cannot find module 'express'\n");
    run.end({
      status: 'failed',
      step: 'start',
      error: 'The start step failed: npm start ended with exit code 1.',
    });
    await eventually(
      async () => (await ada.rpc.projects.get.query({ id: project.id })).latestDeployment?.status,
    ).toBe('failed');
    await run.log.close();
    const { answer, tools } = await ask('What failed in my last deployment?');
    expect(answer).toContain('of **Shop** failed at the step **start**');
    expect(answer).toContain('npm start ended with exit code 1');
    expect(answer).toContain('The module `express` was not found.');
    expect(answer).toContain("Error: Cannot find module 'express'");
    expect(answer).toContain('```sh\nnpm install express\n```');
    expect(tools).toEqual(['projects_list', 'deployments_list', 'deployments_logTail']);
    expect((await ask('show me the log of shop')).answer).toContain('> node server.js');
    expect((await ask('status of shop')).answer).toContain(
      'its last deployment is **failed** at the step start',
    );
    expect((await ask('why did it fail?', 'general', project.id)).answer).toContain('`express`');
  });

  test('says of a deployment that did not fail just that', async () => {
    const project = await createProject(ada, 'Journal');
    const run = await engine.runOf(project.latestDeployment?.id ?? '');
    await run.succeed();
    await eventually(
      async () => (await ada.rpc.projects.get.query({ id: project.id })).latestDeployment?.status,
    ).toBe('running');
    expect((await ask('what failed in the last deployment of journal?')).answer).toBe(
      'The last deployment of **Journal** did not fail: it is running.',
    );
    expect((await ask('is journal running?')).answer).toContain(`It answers at \`${project.url}\`.`);
  });

  test('tells of everything that failed, the last one first', async () => {
    const other = await createProject(ada, 'My Atlas');
    (await engine.runOf(other.latestDeployment?.id ?? '')).end({
      status: 'failed',
      step: 'clone',
      error: 'The repository cannot be cloned: it has no branch "mian".',
    });
    await eventually(
      async () => (await ada.rpc.projects.get.query({ id: other.id })).latestDeployment?.status,
    ).toBe('failed');
    const { answer } = await ask('which of my projects is broken?');
    expect(answer).toMatch(/^The deployment of \*\*My Atlas\*\* failed/);
    expect(answer).toContain('Failed too: **Shop**.');
    await ada.rest(`DELETE /api/projects/${other.id}`);
  });

  test('knows what is called by its name alone, and asks each tool once', async () => {
    const shop = await ask('why is shop not working?');
    expect(shop.answer).toContain('The module `express` was not found.');
    expect(new Set(shop.tools).size).toBe(shop.tools.length);
    expect((await ask('why is the shopp not working')).answer).toMatch(/^I cannot answer that/);
  });

  test('tells how to connect, and never the password', async () => {
    const made = (await ada.rest('POST /api/databases', { body: { name: 'orders' } }))
      .body as ManagedDatabase;
    await expect
      .poll(async () => (await ada.rpc.databases.get.query({ id: made.id })).status, { timeout: 15_000 })
      .not.toBe('creating');
    await world.deps.db.updateTable('managedDatabases').set({ status: 'available', error: '' }).execute();
    const { answer, tools } = await ask('how do I connect to orders?', 'database');
    expect(answer).toContain('Connect to **orders** (postgresql)');
    expect(answer).toContain('psql "$DATABASE_URL"');
    expect(answer).toContain('View Connection String');
    expect(answer).not.toContain('postgresql://');
    expect(tools).toEqual(['databases_list']);
    expect((await ask('what is my database password?')).answer).toContain('I never see them');
    expect((await ask('how do I back it up?', 'database')).answer).toContain('pg_dump --format=custom');
    expect((await ask('what do I have?', 'database')).answer).toContain('You have 1 database:');
    await world.deps.db.updateTable('managedDatabases').set({ status: 'creating' }).execute();
    expect((await ask('how large is orders')).answer).toBe('**orders** is **creating**.');
    expect((await ask('how full is it?', 'database', made.id)).answer).toBe('**orders** is **creating**.');
  });

  test('gives the registry’s real address and the person’s own handle', async () => {
    const registry = registryClient({
      url: world.url,
      username: 'ada',
      password: (await makeToken(ada)).token,
    });
    await pushImage(registry, 'ada/weather', { tag: 'v1' });
    const { host } = world.deps.settings.publicUrl;
    const { answer } = await ask('how do I pull weather?', 'container');
    expect(answer).toContain(
      `docker login --username ada@example.com ${host}\ndocker pull ${host}/ada/weather:v1`,
    );
    expect((await ask('how do I push an image?')).answer).toContain(`docker push ${host}/ada/<name>:latest`);
    expect((await ask('list my images')).answer).toContain('`ada/weather:v1` (private)');
  });

  test('says why a domain is silent, and what to set where', async () => {
    await ada.rest('POST /api/dns', { body: { domain: 'example.com', value: '192.0.2.1' } });
    expect((await ask('why does my domain not answer?')).answer).toMatch(/^The name server does not run/);
    const { answer } = await ask('which records do I need for example.com? name servers?');
    expect(answer).toContain('set the name servers of `example.com` to `localhost`');
    expect((await ask('which domains do I have')).answer).toContain('`example.com`: 1 record, active');
  });

  test('about plans and usage is the real state', async () => {
    const { answer } = await ask('what are the limits of my plan?');
    expect(answer).toContain('You are in the 14-day free trial until');
    expect(answer).toContain('Projects: 2 of 5');
    await ada.rest('POST /api/storage', {
      body: { fileName: 'a.txt', fileSize: 2, fileData: 'data:text/plain;base64,aGk=' },
    });
    expect((await ask('how much storage do I use?')).answer).toMatch(
      /^Your files and images take \*\*1\.\d\d KB\*\* of 10 GB, 2 B of it in 1 file\./,
    );
  });

  test('in the tab Kubernetes is a manifest for the image or the project that is named', async () => {
    const image = await ask('deploy ghcr.io/ada/shop:1.2 on port 3000 at shop.example.com', 'kubernetes');
    expect(image.tools).toContain('assistant_manifest');
    expect(image.answer).toMatch(
      /```yaml\n# kubectl apply -f shop.yaml\n[\s\S]*containerPort: 3000\n[\s\S]*kind: Ingress/,
    );
    const project = await ask('write a manifest for journal', 'kubernetes');
    expect(project.answer).toContain(`image: ${world.deps.settings.publicUrl.host}/ada/journal:latest`);
    const named = await ask('yaml for nginx', 'kubernetes');
    expect(named.answer).toContain('image: nginx\n');
    expect(named.answer).toContain('`nginxinc/nginx-unprivileged` does not');
    const ingress = await ask('ingress for journal.example.com please', 'kubernetes');
    expect(ingress.answer).toContain('host: journal.example.com');
    expect((await ask('helm chart for journal', 'kubernetes')).answer).toContain(
      'Helm charts I do not write',
    );
    session = await converse(ada);
    expect((await ask('kubernetes manifest please')).answer).toContain('For which image or project?');
  });

  test('is a Dockerfile for each framework that it offers', async () => {
    expect((await ask('write a Dockerfile for Django')).answer).toContain('gunicorn');
    for (const { title, words } of DOCKERFILES) {
      expect(
        DOCKERFILES.find((recipe) =>
          recipe.words.test(readQuestion(`dockerfile for ${title}`).words.join(' ')),
        ),
      ).toMatchObject({ words });
    }
  });

  test('to what the rules do not know is honest', async () => {
    const { answer, tools } = await ask('write me a poem about the sea');
    expect(answer).toMatch(/^I cannot answer that without a model; set `OPENAI_API_KEY`/);
    expect(tools).toEqual([]);
  });

  test('of every intent is there, with nothing of anybody else in it', async () => {
    await createProject(eve, 'Canary Of Eve');
    for (const { example, scopes } of INTENTS) {
      if (example === '') continue;
      const { answer } = await ask(example, scopes[0]);
      expect(answer, example).not.toContain('I could not read');
      expect(answer, example).not.toContain('Canary');
      expect(answer.length, example).toBeGreaterThan(20);
    }
  }, 60_000);

  test('comes in pieces, and ends where nobody listens any more', async () => {
    const gone = new AbortController();
    const pieces: string[] = [];
    const turn: Turn = {
      question: 'help',
      scope: 'general',
      resourceId: null,
      history: [],
      tools: { list: () => [], call: async () => '{}' },
      signal: gone.signal,
    };
    for await (const event of createLocalResponder().answer(turn)) {
      if (event.type === 'text') pieces.push(event.text);
      if (pieces.length === 3) gone.abort();
    }
    expect(pieces).toHaveLength(3);
    expect(pieces.join('')).toMatch(/^I am the local responder/);
  });
});

describe('with the real engine', () => {
  test('two repositories that fail are told apart by their true causes', async () => {
    const git = await startGitServer();
    const world = await createWorld({ running: true, overrides: { answerPace: 0 } });
    try {
      const ada = await world.as('Ada');
      const session = await converse(ada);
      const failing = async (name: string, files: Files) => {
        await git.createRepository(name, files);
        const body = { name, repositoryUrl: git.url(name) };
        const { id } = (await ada.rest('POST /api/projects', { body })).body as Project;
        await expect
          .poll(async () => (await ada.rpc.projects.get.query({ id })).latestDeployment?.status, {
            timeout: 60_000,
          })
          .toBe('failed');
        const lines = await (await chat(world, ada, session, { message: `why did ${name} fail?` })).rest();
        return wordsOf(lines);
      };
      const unstartable = await failing('unstartable', { 'package.json': '{"name":"x"}' });
      expect(unstartable).toContain('failed at the step **detect**');
      expect(unstartable).toContain('no start script');
      const crashing = await failing('crashing', {
        'package.json': '{"name":"x","scripts":{"start":"node server.js"}}',
        'server.js': "require('left-out');",
      });
      expect(crashing).toContain('failed at the step **start**');
      expect(crashing).toContain('The module `left-out` was not found.');
      expect(crashing).toContain("Error: Cannot find module 'left-out'");
    } finally {
      await world.close();
      await git.close();
    }
  }, 120_000);
});
