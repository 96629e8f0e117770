import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '../../api/test/world.ts';
import { createStage, expectSound, NARROW, picture, type Stage } from './stage.ts';

let stage: Stage;
let ada: Person;
let grace: Person;

beforeAll(async () => {
  stage = await createStage();
  // The first account is the server's admin; neither of the two is.
  await stage.world.as('Root');
  [ada, grace] = [await stage.world.as('Ada'), await stage.world.as('Grace')];
  await ada.rest('POST /api/projects', { body: { name: 'Analytical' } });
});

afterAll(() => stage.close());

test('two people share a workspace: made, joined by link, switched, limited by role, and left', async () => {
  const page = await stage.open('/', { as: ada });
  await page.getByText('Analytical').first().waitFor();
  const switcher = page.getByRole('button', { name: /^Workspace:/ });
  expect(await switcher.textContent()).not.toContain('Owner');

  // By keyboard: the menu, its second item, the dialog.
  await switcher.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Workspace settings' }).waitFor();
  await expectSound(page);
  await page.getByRole('menuitem', { name: 'New workspace' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Name').fill('Acme');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/workspace');
  await page.getByRole('list', { name: 'Members' }).getByText('You').waitFor();
  await expect.poll(() => switcher.textContent()).toContain('AcmeOwner');
  await picture(page, 'workspace-dark', true);
  await expectSound(page);

  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Role').click();
  await page.getByRole('option', { name: 'Viewer' }).click();
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = (await dialog.getByText(/\/join\//).textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('list', { name: 'Open invitations' }).getByText('Anyone with the link').waitFor();

  // What is made here is not among one's own things.
  await page.getByRole('link', { name: 'Deployments' }).first().click();
  await page.getByText('No projects yet').waitFor();
  const { workspace } = await whoIs(ada);
  await ada.rest('POST /api/projects', {
    body: { name: 'Shared' },
    headers: { 'x-workspace': workspace?.id ?? '' },
  });

  const visitor = await stage.open(new URL(link.trim()).pathname, { viewport: NARROW, theme: 'light' });
  await visitor.getByRole('heading', { name: 'Join Acme' }).waitFor();
  await picture(visitor, 'join-signed-out-light-narrow', true);
  await expectSound(visitor);
  const back = await visitor.getByRole('link', { name: 'Log in to join' }).getAttribute('href');
  expect(new URL(back ?? '', stage.origin).searchParams.get('returnTo')).toBe(new URL(link).pathname);

  const guest = await stage.open(new URL(link.trim()).pathname, { as: grace });
  await guest.getByText('ada@example.com invites you as Viewer.').waitFor();
  await guest.getByRole('button', { name: 'Join workspace' }).click();
  await guest.getByText('Shared').first().waitFor();

  // A viewer sees, and is offered nothing that the role does not hold.
  const create = guest.getByRole('button', { name: 'New Project' });
  expect(await create.isDisabled()).toBe(true);
  const tooltip = guest.getByRole('tooltip').filter({ hasText: 'You need the role Developer' });
  const isTold = async () => {
    await guest.keyboard.press('Tab');
    await create.focus();
    return tooltip.waitFor({ timeout: 2000 }).then(
      () => true,
      () => false,
    );
  };
  // What is drawn anew on a busy machine loses the focus again.
  await expect.poll(isTold).toBe(true);
  await guest.goto(`${stage.origin}/workspace`);
  await guest.getByText('Owners and admins change roles and invite people.').waitFor();
  expect(await guest.getByRole('button', { name: 'Invite' }).count()).toBe(0);
  await guest.setViewportSize(NARROW);
  await picture(guest, 'workspace-viewer-dark-narrow', true);
  await expectSound(guest);

  // Another tab that goes home does not take this one along.
  const other = await guest.context().newPage();
  await other.goto(stage.origin);
  await other.getByRole('button', { name: 'Toggle sidebar' }).click();
  await other.getByRole('button', { name: /^Workspace:/ }).click();
  await other.getByRole('menuitem', { name: 'Yours alone' }).click();
  await other.getByText('No projects yet').waitFor();
  await guest.reload();
  await guest.getByText('Owners and admins change roles and invite people.').waitFor();

  // Used once; and whoever is removed reads so, and is at home.
  await guest.goto(link.trim());
  await guest.getByRole('heading', { name: 'This invitation was used already' }).waitFor();
  await page.goto(`${stage.origin}/workspace`);
  await page.getByRole('button', { name: /^Remove grace/i }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect.poll(() => page.getByText(/grace@example.com/).count()).toBe(0);
  await guest.goto(`${stage.origin}/storage`);
  await guest.getByText("You're no longer in Acme").first().waitFor();
  expect((await whoIs(grace)).workspace?.personal).toBe(true);
});

async function whoIs(person: Person) {
  const { body } = await person.rest('GET /api/auth/user');
  // The contract's answer.
  return body as { workspace: { id: string; personal: boolean } | null };
}
