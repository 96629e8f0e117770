import { afterAll, beforeAll, expect, test } from 'vitest';
import { INSTALLATION } from '../../src/platform/audit.ts';
import { pushImage, putManifest } from '../containers/registry-client.ts';
import { basic, createRegistryWorld, type RegistryWorld } from '../containers/registry-world.ts';

let registry: RegistryWorld;

beforeAll(async () => {
  registry = await createRegistryWorld();
});
afterAll(() => registry.close());

/** Oldest first. */
function recordsOf(procedure: string) {
  const { db } = registry.world.deps;
  return db.selectFrom('auditLog').selectAll().where('procedure', '=', procedure).orderBy('id').execute();
}

test('a push is recorded where it changed something, and so is what a client deletes', async () => {
  const { asAda, ada } = registry;
  const first = await pushImage(asAda, 'ada/web');
  await putManifest(asAda, 'ada/web', 'latest', first.content);
  const [image] = await ada.rpc.containers.list.query();
  const second = await pushImage(asAda, 'ada/web');
  const by = {
    ...{ chain: ada.user.id, actorId: ada.user.id, actorEmail: ada.user.email, via: 'token' },
    ...{ tokenName: 'Test', ip: '127.0.0.1', requestId: expect.any(String), result: 'done' },
    ...{ subjectKind: 'image', subjectId: image?.id, subjectName: 'ada/web:latest' },
  };
  const pushes = await recordsOf('containers.pushImage');
  expect(pushes).toMatchObject([
    { ...by, before: null, after: { digest: first.digest } },
    { ...by, before: { digest: first.digest }, after: { digest: second.digest } },
  ]);
  expect(await ada.rpc.audit.list.query({ subjectId: image?.id })).toHaveLength(2);

  await asAda('DELETE', '/v2/ada/web/manifests/latest');
  await asAda('DELETE', '/v2/ada/web/manifests/latest');
  await asAda('DELETE', `/v2/ada/web/manifests/${first.digest}`);
  expect(await recordsOf('containers.deleteImage')).toMatchObject([
    { ...by, before: { digest: second.digest }, after: null },
    { subjectName: 'ada/web', before: { digest: first.digest, tags: [] } },
  ]);
});

test('an access token that is refused is recorded, what was typed is not, and no call that is let in', async () => {
  const logIn = (account: string, secret: string) =>
    registry.ask('GET', '/v2/token', { authorization: basic(account, secret) });
  expect((await logIn('ada@example.com', 'typed-secret')).status).toBe(401);
  const { ada } = registry;
  const { id } = await ada.rpc.workspaces.create.mutate({ name: 'Robots' });
  const asked = { id, name: 'Bot', role: 'developer' } as const;
  const robot = await ada.rpc.workspaces.createServiceAccount.mutate(asked);
  expect((await logIn('bot', 'typed-secret')).status).toBe(401);
  expect((await logIn('my-password', 'typed-secret')).status).toBe(401);
  expect((await logIn('ada', registry.adaToken)).status).toBe(200);
  const git = await registry.ask('GET', '/git/web.git/info/refs?service=git-upload-pack', {
    authorization: basic('ada', 'typed-secret'),
  });
  expect(git.status).toBe(401);
  const refused = { actorId: null, via: 'none', ip: '127.0.0.1', result: 'refused' };
  const records = await recordsOf('auth.logInToRegistry');
  expect(records).toMatchObject([
    { ...refused, chain: registry.ada.user.id, subjectName: 'ada@example.com' },
    { ...refused, chain: id, subjectId: robot.userId, subjectName: 'bot' },
    { ...refused, chain: INSTALLATION, subjectName: null },
  ]);
  expect(await recordsOf('auth.logInToGit')).toMatchObject([{ ...refused, chain: registry.ada.user.id }]);
  expect(JSON.stringify(records)).not.toMatch(/typed-secret|my-password/);
});
