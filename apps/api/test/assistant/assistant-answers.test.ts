import type { AssistantMessage, ManagedDatabase, Project } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TOPICS } from '../../src/domains/assistant/local/topics.ts';
import type { Turn } from '../../src/domains/assistant/responder/responder.ts';
import { makeToken, pushImage, registryClient } from '../containers/registry-client.ts';
import { ScriptedEngine } from '../deployments/fixtures/scripted-engine.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { chat, converse, eventually, wordsOf } from './assistant-world.ts';

describe('an answer from the person’s own things', () => {
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
      'You have nothing yet. Start with **New Project** on **Deployments**.',
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
      error: 'Start failed: npm start exited with code 1.',
    });
    await eventually(
      async () => (await ada.rpc.projects.get.query({ id: project.id })).latestDeployment?.status,
    ).toBe('failed');
    await run.log.close();
    const { answer, tools } = await ask('What failed in my last deployment?');
    expect(answer).toContain('of **Shop** failed at the **start** step');
    expect(answer).toContain('npm start exited with code 1');
    expect(answer).toContain('The module `express` was not found.');
    expect(answer).toContain("Error: Cannot find module 'express'");
    expect(answer).toContain('```sh\nnpm install express\n```');
    expect(tools).toEqual(['projects_list', 'deployments_list', 'deployments_logTail']);
    expect((await ask('show me the log of shop')).answer).toContain('> node server.js');
    expect((await ask('status of shop')).answer).toContain(
      'its last deployment is **failed** at the start step',
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
      'The latest deployment of **Journal** did not fail. Its status: running.',
    );
    expect((await ask('is journal running?')).answer).toContain(`It is running at \`${project.url}\`.`);
  });

  test('tells of everything that failed, the last one first', async () => {
    const other = await createProject(ada, 'My Atlas');
    (await engine.runOf(other.latestDeployment?.id ?? '')).end({
      status: 'failed',
      step: 'clone',
      error: 'Failed to clone the repository: it has no branch "mian".',
    });
    await eventually(
      async () => (await ada.rpc.projects.get.query({ id: other.id })).latestDeployment?.status,
    ).toBe('failed');
    const { answer } = await ask('which of my projects is broken?');
    expect(answer).toMatch(/^The deployment of \*\*My Atlas\*\* failed/);
    expect(answer).toContain('Also failed: **Shop**.');
    await ada.rest(`DELETE /api/projects/${other.id}`);
  });

  test('knows what is called by its name alone, and asks each tool once', async () => {
    const shop = await ask('why is shop not working?');
    expect(shop.answer).toContain('The module `express` was not found.');
    expect(new Set(shop.tools).size).toBe(shop.tools.length);
    expect((await ask('why is the shopp not working')).answer).toMatch(/^I can't answer that/);
  });

  test('tells how to connect, and never the password', async () => {
    const made = (await ada.rest('POST /api/databases', { body: { name: 'orders' } }))
      .body as ManagedDatabase;
    await expect
      .poll(async () => (await ada.rpc.databases.get.query({ id: made.id })).status)
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
    expect((await ask('why does my domain not answer?')).answer).toMatch(/^The name server is not running/);
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
      /- Files and images: \*\*1\.\d\d KB\*\* of 10 GB\n/,
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
    const named = await ask('yaml for the image nginx', 'kubernetes');
    expect(named.answer).toContain('image: nginx\n');
    expect(named.answer).toContain('`nginxinc/nginx-unprivileged` does not');
    const ingress = await ask('ingress for journal.example.com please', 'kubernetes');
    expect(ingress.answer).toContain('host: journal.example.com');
    session = await converse(ada);
    expect((await ask('kubernetes manifest please')).answer).toContain('For which image or project?');
  });

  test('is a Dockerfile for the framework that is named', async () => {
    expect((await ask('write a Dockerfile for Django')).answer).toContain('gunicorn');
  });

  test('to what the rules do not know is honest', async () => {
    const { answer, tools } = await ask('write me a poem about the sea');
    expect(answer).toMatch(/^I can't answer that without a model/);
    expect(tools).toEqual([]);
  });

  test('of every topic is there, with nothing of anybody else in it', async () => {
    await createProject(eve, 'Canary Of Eve');
    for (const { example, scopes } of TOPICS) {
      if (example === '') continue;
      const { answer } = await ask(example, scopes[0]);
      expect(answer, example).not.toContain("I couldn't look that up");
      expect(answer, example).not.toContain('Canary');
      expect(answer.length, example).toBeGreaterThan(20);
    }
  });
});
