import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeToken, pushImage, registryClient } from '../../api/test/containers/registry-client.ts';
import { ScriptedEngine } from '../../api/test/deployments/fixtures/scripted-engine.ts';
import { createStage, expectSound, NARROW, picture, type Stage, WIDE } from './stage.ts';

let stage: Stage;
let engine: ScriptedEngine;

beforeAll(async () => {
  engine = new ScriptedEngine();
  stage = await createStage({ overrides: { engine } });
});
afterAll(() => stage.close());

it('deploys an image, deploys what is pushed to it, and keeps it', async () => {
  const ada = await stage.world.as('Ada');
  const { token } = await makeToken(ada);
  const asAda = registryClient({ url: stage.world.url, username: 'ada', password: token });
  const page = await stage.open('/deployments', { as: ada });
  await page.getByRole('button', { name: 'New Project' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New Project' });
  await dialog.getByLabel('Name', { exact: true }).fill('Shop');
  await dialog.getByLabel('Source').click();
  await page.getByRole('option', { name: 'Image' }).click();
  const { host } = stage.world.deps.settings.publicUrl;
  await dialog.getByLabel('Image', { exact: true }).fill(`${host}/ada/shop`);
  await expectSound(page);
  await picture(page, 'image-project-new-dark');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Shop' }).waitFor();

  const [project] = await ada.rpc.projects.list.query();
  const id = project?.id ?? '';
  const first = await engine.runOf(project?.latestDeployment?.id ?? '');
  first.end({ status: 'failed', step: 'pull', error: 'Failed to pull the image: there is no such image.' });
  const { digest } = await pushImage(asAda, 'ada/shop');
  const [pushed] = await ada.rpc.deployments.list.query({ id });
  const { job, log, succeed } = await engine.runOf(pushed?.id ?? '');
  await job.onProgress({ status: 'building', step: 'pull', imageDigest: digest, releaseKept: true });
  log.system('Pulled.');
  await succeed();

  await page.getByRole('link', { name: 'Overview' }).click();
  const short = digest.slice(7, 19);
  const newest = page.getByRole('list', { name: 'Deployments' }).getByRole('listitem').first();
  await newest.getByText('Pushed ada/shop:latest').waitFor();
  expect(await newest.textContent()).toContain(short);
  await expectSound(page);
  await picture(page, 'image-project-deployments-dark');

  const [image] = await ada.rpc.containers.list.query();
  await page.goto(`${stage.origin}/containers/${image?.id}`);
  await page
    .locator('#kept-because')
    .getByText('Kept because the project Shop is deployed from this image.')
    .waitFor();
  expect(await page.getByRole('button', { name: 'Delete tag' }).isDisabled()).toBe(true);
  await expectSound(page);
  await picture(page, 'image-kept-dark');
});

it('fits small screens, light and dark', async () => {
  const bob = await stage.world.as('Bob');
  const image = 'registry.example.com/somebody/with-a-long-name/shop:2026-11-23';
  const login = { imageUsername: 'robot', imagePassword: 'secret' };
  const { id } = await bob.rpc.projects.create.mutate({ name: 'Long', image, ...login });
  const [deployment] = await bob.rpc.deployments.list.query({ id });
  const { job, succeed } = await engine.runOf(deployment?.id ?? '');
  const imageDigest = `sha256:${'1a2b3c4d'.repeat(8)}`;
  await job.onProgress({ status: 'building', step: 'pull', imageDigest, releaseKept: true });
  await succeed();
  const built = await bob.rpc.projects.create.mutate({
    name: 'Built',
    settings: { builder: 'dockerfile', buildArgs: [{ name: 'VERSION', value: '1.2.3' }] },
  });
  for (const [theme, viewport, size] of [
    ['light', NARROW, '360'],
    ['dark', WIDE, '1440'],
  ] as const) {
    const page = await stage.open('/deployments', { as: bob, theme, viewport });
    await page.getByText('1a2b3c4d1a2b').first().waitFor();
    await expectSound(page);
    await picture(page, `image-cards-${theme}-${size}`, true);
    for (const [name, project] of [
      ['image', id],
      ['dockerfile', built.id],
    ]) {
      await page.goto(`${stage.origin}/projects/${project}/settings`);
      await page.getByLabel('Source').waitFor();
      await expectSound(page);
      await picture(page, `${name}-settings-${theme}-${size}`, true);
    }
  }
});
