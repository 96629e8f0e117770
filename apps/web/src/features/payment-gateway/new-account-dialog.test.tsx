import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

describe('a new virtual account', () => {
  it('needs a name, and has a bank by default', async () => {
    const { user, world } = renderPage('/payment-gateway?new=1');
    const dialog = within(await screen.findByRole('dialog', { name: 'Create Virtual Account' }));
    const create = dialog.getByRole('button', { name: 'Create' });
    expect(create).toHaveProperty('disabled', true);
    expect(dialog.getByLabelText<HTMLInputElement>('Bank name').value).toBe('Virtual Bank');
    await user.type(dialog.getByLabelText('Account name'), 'Operations{Enter}');
    await waitFor(() =>
      expect(shownToast()).toMatchObject({ title: 'Virtual account created successfully!' }),
    );
    expect(await screen.findByRole('link', { name: 'Operations' })).toBeDefined();
    expect(
      world.calls
        .filter(({ path }) => path === 'paymentGateway.createVirtualAccount')
        .map(({ input }) => input),
    ).toEqual([{ accountName: 'Operations', bankName: 'Virtual Bank', currency: 'USD' }]);
  });

  it.each([
    [{ code: 'FORBIDDEN', reason: 'PLAN_LIMIT_REACHED', message: 'You have 20.' } as const, 'You have 20.'],
    [
      { code: 'INTERNAL_SERVER_ERROR', reason: '', message: 'x' } as const,
      'Failed to create virtual account',
    ],
  ])('that cannot be had says why', async (refusal, sentence) => {
    const { user } = renderPage('/payment-gateway?new=1', {
      refusals: { 'paymentGateway.createVirtualAccount': refusal },
    });
    await user.type(await screen.findByLabelText('Account name'), 'Operations{Enter}');
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Error', description: sentence }));
  });
});
