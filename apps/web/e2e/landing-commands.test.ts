import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { requireTool } from '../../../tools/require-tool.ts';
import { createStage, type Stage } from './stage.ts';

const run = promisify(execFile);
const HAS_CURL = requireTool('curl');
/** The address in the printed commands that everybody puts their own in. */
const PERSON = 'you%40example.com';

let stage: Stage;

beforeAll(async () => {
  stage = await createStage();
});

afterAll(() => stage.close());

test.skipIf(!HAS_CURL)(
  'the printed commands lead a new person from an empty folder to a running app',
  async () => {
    const page = await stage.open('/');
    const printed = page.getByRole('article').filter({ hasText: 'Deploy from your local computer' });
    await printed.locator('code').first().waitFor();
    const commands = await printed.locator('code').allTextContents();
    expect(commands.map((command) => command.split(' ').slice(0, 2).join(' '))).toEqual([
      "echo '<h1>Hello</h1>'",
      'git init',
      'git add',
      'git commit',
      `curl ${stage.origin}/api/projects`,
      'git push',
    ]);

    const root = await mkdtemp(join(tmpdir(), 'nephos-landing-'));
    onTestFinished(() => rm(root, { recursive: true }));
    const folder = join(root, 'hello');
    await mkdir(folder);
    const ada = await stage.world.as('Ada');
    const { token: TOKEN } = await ada.rpc.auth.createToken.mutate({ name: 'laptop', scope: 'write' });
    const script = commands.join('\n').replaceAll(PERSON, 'ada%40example.com');
    const person = { NAME: 'Ada', EMAIL: 'ada@example.com' };
    const git = ['AUTHOR', 'COMMITTER'].flatMap((role) =>
      Object.entries(person).map(([what, value]) => [`GIT_${role}_${what}`, value]),
    );
    const { stdout, stderr } = await run('sh', ['-ec', script], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: root, TOKEN, ...Object.fromEntries(git) },
    });
    const [created = ''] = /^\{.*\}$/m.exec(stdout) ?? [];
    const { url } = JSON.parse(created) as { url: string };
    expect(stderr).toContain(`remote: Live at ${url}`);
    expect((await run('curl', ['-sS', url])).stdout).toBe('<h1>Hello</h1>\n');
  },
);
