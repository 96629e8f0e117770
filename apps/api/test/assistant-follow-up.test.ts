import type { AssistantScope, Project } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { chat, converse, wordsOf } from './assistant-world.ts';
import { ScriptedEngine } from './fixtures/scripted-engine.ts';
import { createWorld, type Person, type World } from './world.ts';

let world: World;
let engine: ScriptedEngine;
let ada: Person;
let shop: Project;

beforeAll(async () => {
  engine = new ScriptedEngine();
  world = await createWorld({ overrides: { engine, answerPace: 0 }, running: true });
  ada = await world.as('Ada');
  shop = await deploy('Shop', 'Cannot find module "express"');
  // Later, so that it is what is taken where nothing is named.
  await deploy('Journal', 'boom');
  await world.deps.db
    .insertInto('managedDatabases')
    .values(
      (['orders', 'people'] as const).map((name, n) => ({
        ownerId: ada.user.id,
        name,
        type: n === 0 ? ('mysql' as const) : ('postgresql' as const),
        region: 'us-east-1' as const,
        storageSize: 10,
        engineName: name,
        password: Buffer.from('sealed'),
        status: 'available' as const,
      })),
    )
    .execute();
  await ada.rest('POST /api/containers', { body: { name: 'weather', tag: 'v1' } });
  await ada.rest('POST /api/dns', { body: { domain: 'example.com', value: '192.0.2.1' } });
  await ada.rest('POST /api/dns', { body: { domain: 'example.org', value: '192.0.2.1' } });
  const eve = await world.as('Eve');
  await eve.rest('POST /api/projects', { body: { name: 'staging' } });
}, 60_000);

afterAll(() => world.close());

/** A project whose deployment failed, with this in its log. */
async function deploy(name: string, says: string, owner = ada): Promise<Project> {
  const body = { name, repositoryUrl: 'https://git.example.com/app.git' };
  const project = (await owner.rest('POST /api/projects', { body })).body as Project;
  const run = await engine.runOf(project.latestDeployment?.id ?? '');
  run.log.write('stderr', `Error: ${name} says ${says}\n`);
  run.end({ status: 'failed', step: 'start', error: `The start step of ${name} failed.` });
  const failed = async () =>
    expect((await owner.rpc.projects.get.query({ id: project.id })).latestDeployment?.status).toBe('failed');
  await vi.waitFor(failed, { timeout: 15_000 });
  await run.log.close();
  return project;
}

interface Asking {
  by?: Person;
  scope?: AssistantScope;
  resourceId?: string;
}

/** Asks one after the other in one conversation; resolves to the last answer. */
async function talk(questions: readonly string[], { by = ada, scope = 'general', resourceId }: Asking = {}) {
  const sessionId = await converse(by);
  let answer = '';
  for (const message of questions) {
    const body = { message, resourceScope: scope, resourceId };
    answer = wordsOf(await (await chat(world, by, sessionId, body)).rest());
  }
  return answer;
}

const UNKNOWN = /^I cannot answer that/;

describe('a follow-up', () => {
  test.each<[asked: string[], answer: RegExp]>([
    [['what is the status of shop?', 'why?'], /of \*\*Shop\*\* failed at the step/],
    [['status of shop', 'and why is that?'], /of \*\*Shop\*\* failed/],
    [['why did shop fail?', 'and its logs?'], /log of the last deployment of \*\*Shop\*\*/],
    [['why did shop fail?', 'show me the logs'], /log of the last deployment of \*\*Shop\*\*/],
    [['why did shop fail?', 'show me the Dockerfile for it'], /for Node\.js .*, which \*\*Shop\*\* is/],
    [['why did shop fail?', 'thanks!', 'how do I redeploy it?'], /Open \*\*Shop\*\*/],
    [['why did shop fail?', 'delete it'], /On \*\*Deployments\*\*/],
    [['what failed in my last deployment?', 'and its environment variables?'], /\*\*Journal\*\* has no env/],
    [['how large is orders?', 'how do I connect to it?'], /Connect to \*\*orders\*\* \(mysql\)/],
    [['how do I connect to people?', 'how do I back it up?'], /Save \*\*people\*\* \(postgresql\)/],
    [['how do I back up mysql?', 'and how do I connect to it?'], /Connect to \*\*orders\*\* \(mysql\)/],
    [['how do I pull weather?', 'and how do I push to it?'], /docker push \S+\/ada\/weather:v1/],
    [
      ['why does example.org not answer?', 'which records do I need for it?'],
      /name servers of `example\.org`/,
    ],
  ])('%j is about what was spoken of', async (questions, answer) => {
    expect(await talk(questions)).toMatch(answer);
  });

  test.each<[asked: string[], answer: RegExp]>([
    [['why did shop fail?', 'what about journal?'], /of \*\*Journal\*\* failed/],
    [['what failed in journal?', 'and shop?'], /of \*\*Shop\*\* failed/],
    [['how do I connect to orders?', 'and to people?'], /Connect to \*\*people\*\*/],
    [['why did shop fail?', 'how about the orders database?'], /^None of your databases failed/],
    [
      ['why did shop fail?', 'what about staging?'],
      /^I find nothing called `staging` among what you have here/,
    ],
    [['logs of shop', 'and for staging'], /^I find nothing called `staging`/],
    [['write a Dockerfile for Django', 'and for Rails?'], /Ruby on Rails/],
    [['write a Dockerfile for FastAPI', 'what about Flask?'], /for Flask/],
    [['write a manifest for shop', 'and on port 3000?'], /`shop\.yaml`[\s\S]*containerPort: 3000/],
    [
      ['kubernetes manifest for ghcr.io/ada/x:1', 'and with host x.example.com?'],
      /ghcr\.io\/ada\/x:1[\s\S]*host: x\.ex/,
    ],
    [
      ['kubernetes manifest for shop', 'what about ghcr.io/ada/x:1?'],
      /^A Deployment.* for `ghcr\.io\/ada\/x:1`/,
    ],
  ])('%j asks the same of another', async (questions, answer) => {
    expect(await talk(questions)).toMatch(answer);
  });

  test.each<[asked: string[], answer: RegExp]>([
    [['which databases do I have?', 'how do I connect to the second one?'], /Connect to \*\*orders\*\*/],
    [['how do I connect to my database?', 'the first one'], /Connect to \*\*people\*\*/],
    [['how do I connect to my database?', 'orders'], /Connect to \*\*orders\*\*/],
    [['list my projects', 'and the second?'], /^\*\*Shop\*\*: its last deployment is/],
    [['list my projects', 'why did the last one fail?'], /of \*\*Shop\*\* failed/],
    [['which domains do I have?', 'the second one'], /`example\.org` is|name server does not run/],
    [['list my projects', 'the fifth one'], UNKNOWN],
  ])('%j is about a place in the list', async (questions, answer) => {
    expect(await talk(questions)).toMatch(answer);
  });

  test.each<[asked: string[], answer: RegExp]>([
    [['status of shop', 'write me a poem about it'], UNKNOWN],
    [['status of shop', 'asdf qwer zxcv'], UNKNOWN],
    [['status of shop', '???'], UNKNOWN],
    [['status of shop', 'projects'], /^You have 2 projects/],
    [['status of shop', 'what failed in my last deployment?'], /of \*\*Journal\*\* failed/],
    [['status of shop', 'what do I have?'], /^You have:/],
    [['status of shop', 'what does it cost?'], /free trial/],
    [['hello', 'why?'], /of \*\*Journal\*\* failed/],
    [['which projects do I have?', 'its logs?'], /log of the last deployment of \*\*Journal\*\*/],
    [['status of shop', 'help'], /^I am the local responder/],
  ])('%j is a question of its own', async (questions, answer) => {
    expect(await talk(questions)).toMatch(answer);
  });

  test('stands after an answer that quotes what no question may hold', async () => {
    const bob = await world.as('Bob');
    await deploy('Lab', 'Cannot find module "exp\u0007ress"', bob);
    expect(await talk(['why did lab fail?', 'and its logs?'], { by: bob })).toMatch(
      /deployment of \*\*Lab\*\*/,
    );
  });

  test('on a page is about the page, unless another was just named', async () => {
    const page = { resourceId: shop.id };
    expect(await talk(['what do I have?', 'why did it fail?'], page)).toMatch(/of \*\*Shop\*\* failed/);
    expect(await talk(['status of journal', 'why did it fail?'], page)).toMatch(/of \*\*Journal\*\* failed/);
    expect(await talk(['status of journal', 'thanks', 'why did it fail?'], page)).toMatch(/of \*\*Shop\*\*/);
  });
});
