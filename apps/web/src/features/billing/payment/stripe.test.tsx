import type { PaymentIntentResult, Stripe } from '@stripe/stripe-js';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type MockBilling, mockBillingWorld, mockSummary } from '../../../test/mock-billing.ts';
import type { MockWorld } from '../../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../../test/render-page.tsx';
import { keepPlan, keptPlan } from './payment-outcome.ts';
import { StripeLoader } from './stripe-payment.tsx';

mockApi();

afterEach(() => sessionStorage.clear());

const INTENT = 'pi_mock00000001';

const PROVIDER = {
  name: 'stripe',
  publishableKey: 'pk_test_1',
  testMode: true,
  testCards: [],
} as const;

const PROCESSING = { paymentIntent: { id: INTENT, status: 'processing' } };
const SUCCEEDED = { paymentIntent: { id: INTENT, status: 'succeeded' } };

/** What Stripe's script gives, as far as our form and its wrapper use it. */
function stripeStub(confirmPayment: () => Promise<unknown>) {
  const ready: (() => void)[] = [];
  const element = {
    mount: () => queueMicrotask(() => ready.map((tell) => tell())),
    on: (event: string, tell: () => void) => void (event === 'ready' && ready.push(tell)),
    off: () => {},
    update: () => {},
    destroy: () => {},
  };
  const elements = {
    create: () => element,
    getElement: () => null,
    update: () => {},
    on: () => {},
    off: () => {},
  };
  const stub = {
    elements: vi.fn(() => elements),
    createToken: () => {},
    createPaymentMethod: () => {},
    confirmCardPayment: () => {},
    registerAppInfo: () => {},
    _registerWrapper: () => {},
    confirmPayment: vi.fn(confirmPayment),
    handleNextAction: vi.fn(confirmPayment),
  };
  // The rest of Stripe is not used.
  return stub as typeof stub & Stripe;
}

function renderStripe(load: () => Promise<Stripe | null>, billing: Partial<MockBilling> = {}) {
  return renderPage(
    '/billing',
    { billing: mockBillingWorld({ provider: { ...PROVIDER, testCards: [] }, ...billing }) },
    (page) => <StripeLoader value={load}>{page}</StripeLoader>,
  );
}

async function openPayment(load: () => Promise<Stripe | null>, billing: Partial<MockBilling> = {}) {
  const page = renderStripe(load, billing);
  await page.user.click(await screen.findByRole('button', { name: 'Subscribe Now' }));
  await page.user.click(await screen.findByRole('button', { name: 'Choose Starter' }));
  const name = 'Enter Payment Details - Starter Plan';
  return { ...page, dialog: within(await screen.findByRole('dialog', { name })) };
}

async function payAt(stripe: Stripe) {
  const page = await openPayment(async () => stripe);
  const confirm = await page.dialog.findByRole('button', { name: 'Confirm Payment' });
  await waitFor(() => expect(confirm).toHaveProperty('disabled', false));
  await page.user.click(confirm);
  return page;
}

function subscribed(world: MockWorld) {
  return world.calls.filter(({ path }) => path === 'billing.subscribe').map(({ input }) => input);
}

describe('paying by Stripe', () => {
  it('is confirmed by Stripe with our address to come back to, then recorded', async () => {
    const stripe = stripeStub(async () => SUCCEEDED);
    const { world } = await payAt(stripe);
    await waitFor(() =>
      expect(shownToast()).toMatchObject({ title: 'Subscription activated successfully!' }),
    );
    expect(stripe.elements).toHaveBeenCalledWith(
      expect.objectContaining({ clientSecret: `${INTENT}_secret` }),
    );
    expect(stripe.confirmPayment).toHaveBeenCalledExactlyOnceWith({
      elements: expect.anything(),
      confirmParams: { return_url: `${window.location.origin}/billing` },
      redirect: 'if_required',
    });
    expect(subscribed(world)).toEqual([{ planTier: 'starter', paymentIntentId: INTENT }]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(keptPlan(INTENT)).toBeUndefined();
  });

  it.each([
    [
      'declined',
      async () => ({ error: { message: 'Your card was declined.' } }),
      'Payment Failed',
      'Your card was declined.',
    ],
    ['interrupted', () => Promise.reject(new Error('Network down.')), 'Error', 'Network down.'],
  ])('that is %s records nothing', async (_, confirm, title, description) => {
    const { world, dialog } = await payAt(stripeStub(confirm));
    await waitFor(() => expect(shownToast()).toEqual({ title, description, variant: 'destructive' }));
    expect(await dialog.findByRole('button', { name: 'Confirm Payment' })).toHaveProperty('disabled', false);
    expect(subscribed(world)).toEqual([]);
  });

  it('leaves to the bank what that has not decided', async () => {
    const { world } = await payAt(stripeStub(async () => PROCESSING));
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Your bank is processing the payment' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(subscribed(world)).toEqual([]);
  });

  it('that succeeded, but whose answer was lost, is recorded at the next try', async () => {
    const confirm = vi.fn<() => Promise<Partial<PaymentIntentResult>>>();
    confirm.mockRejectedValueOnce(new Error('Network down.'));
    const error = { message: 'It has already succeeded.', payment_intent: SUCCEEDED.paymentIntent };
    confirm.mockResolvedValue({ error } as Partial<PaymentIntentResult>);
    const { user, world, dialog } = await payAt(stripeStub(confirm));
    await waitFor(() => expect(shownToast()).toMatchObject({ description: 'Network down.' }));
    await user.click(await dialog.findByRole('button', { name: 'Confirm Payment' }));
    await waitFor(() =>
      expect(shownToast()).toMatchObject({ title: 'Subscription activated successfully!' }),
    );
    expect(subscribed(world)).toEqual([{ planTier: 'starter', paymentIntentId: INTENT }]);
  });

  it('can be tried again when Stripe could not be loaded', async () => {
    const load = vi.fn<() => Promise<Stripe | null>>();
    load.mockRejectedValueOnce(new Error('Failed to load Stripe.js'));
    load.mockResolvedValue(stripeStub(async () => SUCCEEDED));
    const { user, dialog } = await openPayment(load);
    expect(await dialog.findByText(/^Couldn't load Stripe/)).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Try again' }));
    expect(await dialog.findByRole('button', { name: 'Confirm Payment' })).toBeDefined();
  });
});

describe("the saved card's bank", () => {
  const ASKS = { summary: mockSummary(), savedCard: { status: 'requires_action' } } as const;
  const pay = async (confirm: () => Promise<unknown>) => {
    const stripe = stripeStub(confirm);
    const page = await openPayment(async () => stripe, ASKS);
    await page.user.click(await page.dialog.findByRole('button', { name: 'Pay with card ending 4242' }));
    return { stripe, ...page };
  };

  it("asks by Stripe's script, then the payment is recorded", async () => {
    const { stripe, world } = await pay(async () => SUCCEEDED);
    await waitFor(() =>
      expect(shownToast()).toMatchObject({ title: 'Subscription activated successfully!' }),
    );
    expect(stripe.handleNextAction).toHaveBeenCalledExactlyOnceWith({ clientSecret: `${INTENT}_secret` });
    expect(stripe.confirmPayment).not.toHaveBeenCalled();
    expect(subscribed(world)).toEqual([{ planTier: 'starter', paymentIntentId: INTENT }]);
  });

  it('is not left while it asks, and what it has not decided is left to it', async () => {
    const answer = Promise.withResolvers<typeof PROCESSING>();
    const { stripe, user, world } = await pay(() => answer.promise);
    await waitFor(() => expect(stripe.handleNextAction).toHaveBeenCalledOnce());
    // By now the charge itself counts as answered.
    await waitFor(() => expect(screen.getByText(/^Confirm the payment/).querySelector('svg')).not.toBeNull());
    await user.keyboard('{Escape}');
    expect(screen.getByRole('dialog')).toBeDefined();
    answer.resolve(PROCESSING);
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Your bank is processing the payment' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(subscribed(world)).toEqual([]);
  });

  it('is denied, which records nothing and offers the card again', async () => {
    const { world, dialog } = await pay(async () => ({ error: { message: 'Not confirmed.' } }));
    expect((await dialog.findByRole('alert')).textContent).toBe('Not confirmed.');
    expect(dialog.getByRole('button', { name: 'Pay with card ending 4242' })).toBeDefined();
    expect(subscribed(world)).toEqual([]);
  });
});

describe('coming back from the bank', () => {
  const back = (status: string) =>
    `/billing?payment_intent=${INTENT}&payment_intent_client_secret=${INTENT}_secret&redirect_status=${status}`;

  it('can be repeated where the server was not there', async () => {
    keepPlan(INTENT, 'starter');
    const { user, world, router } = renderPage(back('succeeded'), {
      refusals: {
        'billing.subscribe': { code: 'INTERNAL_SERVER_ERROR', reason: 'UNAVAILABLE', message: 'Try later.' },
      },
    });
    expect(await screen.findByText('Your payment succeeded, but the plan is not active yet')).toBeDefined();
    expect(router.state.location.href).toContain(INTENT);
    await waitFor(() => expect(router.state.location.href).not.toContain('secret'));
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Active')).toBeDefined();
    await waitFor(() => expect(router.state.location.href).toBe('/billing'));
  });

  it('says that the bank refused', async () => {
    keepPlan(INTENT, 'starter');
    const { world, router } = renderPage(back('failed'));
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Payment Failed' }));
    await waitFor(() => expect(router.state.location.href).toBe('/billing'));
    expect(subscribed(world)).toEqual([]);
  });

  it('promises nothing of what the bank has not decided', async () => {
    keepPlan(INTENT, 'starter');
    const { world, router } = renderPage(back('processing'));
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Your bank is processing the payment' }));
    await waitFor(() => expect(router.state.location.href).toBe('/billing'));
    expect(subscribed(world)).toEqual([]);
  });

  it('leaves to the server what another tab began', async () => {
    const { world, router } = renderPage(back('succeeded'));
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Payment received' }));
    await waitFor(() => expect(router.state.location.href).toBe('/billing'));
    expect(subscribed(world)).toEqual([]);
  });
});
