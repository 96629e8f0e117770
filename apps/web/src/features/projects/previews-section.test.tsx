import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockPreview } from '../../test/mock-previews.ts';
import { mockDelivery } from '../../test/mock-push-hooks.ts';
import { mockProject } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';

mockApi();

const { id } = mockProject();

it('lists the previews of a project with what they do and where they answer', async () => {
  const pull = mockPreview({ branch: 'feature/cart', pullRequest: 7, state: 'failed' });
  renderPage(`/projects/${id}`, { projects: [mockProject()], previews: [pull, mockPreview()] });
  const list = within(await screen.findByRole('table', { name: 'Previews' }));
  const [, first, second] = list.getAllByRole('row');
  expect(first?.textContent).toMatch(/feature\/cart#7.*Failed/);
  const link = within(first as HTMLElement).getByRole('link', { name: 'feature/cart' });
  expect(link.getAttribute('href')).toBe(`/projects/${pull.id}`);
  const app = within(second as HTMLElement).getByRole('link', { name: 'app-next.localhost:3000' });
  expect(app.getAttribute('href')).toBe('http://app-next.localhost:3000');
});

it("leads from a delivery to the log of the preview's own project", async () => {
  const projectId = crypto.randomUUID();
  const delivery = mockDelivery({ branch: 'next', projectId });
  renderPage(`/projects/${id}/settings`, { projects: [mockProject()], deliveries: [delivery] });
  const list = within(await screen.findByRole('table', { name: 'Deliveries' }));
  const log = `/projects/${projectId}/log?deployment=${delivery.deploymentId}`;
  expect(list.getByRole('link', { name: 'Build log' }).getAttribute('href')).toBe(log);
});
