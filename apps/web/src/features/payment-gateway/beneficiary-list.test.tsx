import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { mockBeneficiary } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { BROKEN, NO_BENEFICIARIES } from './gateway-fixtures.ts';

mockApi();

describe('a beneficiary', () => {
  it('is added, with its code in capitals', async () => {
    const { user, world } = renderPage('/payment-gateway?tab=beneficiaries');
    await screen.findByText(NO_BENEFICIARIES);
    await user.click(screen.getByRole('button', { name: 'Add Beneficiary' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add Beneficiary' }));
    const add = dialog.getByRole('button', { name: 'Add' });
    await user.type(dialog.getByLabelText('Account name'), 'Babbage & Sons');
    await user.type(dialog.getByLabelText('Account number'), 'GB-33-0001');
    expect(add).toHaveProperty('disabled', true);
    await user.type(dialog.getByLabelText('Bank name'), 'Bank of London');
    await user.type(dialog.getByLabelText('Bank code'), 'bofl-1{Enter}');
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Beneficiary added successfully!' }));
    expect(await screen.findByText('BOFL-1')).toBeDefined();
    expect(world.calls).toContainEqual({
      path: 'paymentGateway.createBeneficiary',
      input: {
        accountName: 'Babbage & Sons',
        accountNumber: 'GB-33-0001',
        bankName: 'Bank of London',
        bankCode: 'BOFL-1',
      },
    });
  });

  it('that cannot be added says so, with the reason in the dialog', async () => {
    const { user } = renderPage('/payment-gateway?tab=beneficiaries', {
      refusals: {
        'paymentGateway.createBeneficiary': { code: 'CONFLICT', reason: 'EXISTS', message: 'You have it.' },
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Add Beneficiary' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add Beneficiary' }));
    for (const label of ['Account name', 'Account number', 'Bank name'])
      await user.type(dialog.getByLabelText(label), 'Babbage');
    await user.keyboard('{Enter}');
    expect((await dialog.findByRole('alert')).textContent).toBe('You have it.');
    expect(shownToast()).toMatchObject({ title: 'Error', description: 'Failed to add beneficiary' });
  });

  it('is deleted once its name was typed', async () => {
    const { user } = renderPage('/payment-gateway?tab=beneficiaries', { beneficiaries: [mockBeneficiary()] });
    const button = await screen.findByRole('button', { name: 'Delete Babbage & Sons' });
    expect(button.textContent).toBe('Delete');
    await user.click(button);
    const dialog = within(await screen.findByRole('alertdialog'));
    const confirm = dialog.getByRole('button', { name: 'Delete beneficiary' });
    expect(confirm).toHaveProperty('disabled', true);
    await user.type(dialog.getByRole('textbox'), 'Babbage & Sons');
    await user.click(confirm);
    expect(await screen.findByText(NO_BENEFICIARIES)).toBeDefined();
    expect(shownToast()).toMatchObject({ title: 'Beneficiary deleted successfully!' });
  });

  it('that cannot be deleted says so', async () => {
    const { user } = renderPage('/payment-gateway?tab=beneficiaries', {
      beneficiaries: [mockBeneficiary()],
      refusals: { 'paymentGateway.removeBeneficiary': BROKEN },
    });
    await user.click(await screen.findByRole('button', { name: 'Delete Babbage & Sons' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.type(dialog.getByRole('textbox'), 'Babbage & Sons{Enter}');
    await waitFor(() =>
      expect(shownToast()).toMatchObject({ title: 'Error', description: 'Failed to delete beneficiary' }),
    );
  });
});
