import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CARDS } from '../../api/test/billing/billing-fixtures.ts';
import { type StripeServer, startStripeServer } from '../../api/test/billing/stripe-server.ts';
import { createStage, picture, type Stage } from './stage.ts';

/** Stands in for Stripe's script: its form is one field, and its answers come from the Stripe of the tests. */
const SCRIPT = `
  function Stripe() {
    let clientSecret;
    const field = document.createElement('input');
    field.setAttribute('aria-label', 'Card');
    const element = {
      mount: (place) => place.append(field),
      on: (event, tell) => event === 'ready' && setTimeout(tell),
      off() {}, update() {}, destroy: () => field.remove(),
    };
    const elements = { create: () => element, getElement: () => null, update() {}, on() {}, off() {} };
    return {
      elements: (options) => { clientSecret = options.clientSecret; return elements; },
      createToken() {}, createPaymentMethod() {}, confirmCardPayment() {}, registerAppInfo() {},
      confirmPayment: async ({ confirmParams }) => {
        const intent = await window.payAtStripe(clientSecret, field.value);
        if (intent.status !== 'requires_action') {
          return intent.status === 'succeeded' ? { paymentIntent: intent } : { error: intent.last_payment_error };
        }
        await window.answerBank(clientSecret);
        const query = { payment_intent: intent.id, payment_intent_client_secret: clientSecret, redirect_status: 'succeeded' };
        location.href = confirmParams.return_url + '?' + new URLSearchParams(query);
        return new Promise(() => {});
      },
    };
  }
  Stripe.version = 'test';
  window.Stripe = Stripe;`;

let stripe: StripeServer;
let stage: Stage;

beforeAll(async () => {
  stripe = await startStripeServer();
  stage = await createStage({ settings: { stripe: stripe.settings } });
});

afterAll(async () => {
  await stage.close();
  await stripe.close();
});

async function openPayment(name: string) {
  // Any page of that origin: what stands in for Stripe has to be there before the console is.
  const page = await stage.open('/healthz', { as: await stage.world.as(name), context: {} });
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: SCRIPT }),
  );
  await page.exposeFunction('payAtStripe', (secret: string, card: string) => stripe.pay(secret, card));
  await page.exposeFunction('answerBank', (secret: string) => stripe.authenticate(secret, true));
  await page.goto(`${stage.origin}/billing`);
  await page.getByRole('button', { name: 'Subscribe Now' }).click();
  await page.getByRole('button', { name: 'Choose Starter' }).click();
  await page.getByText('Test mode: no real money moves').waitFor();
  return page;
}

async function payWith(page: Page, card: string) {
  await page.getByLabel('Card', { exact: true }).fill(card);
  await page.getByRole('button', { name: 'Confirm Payment' }).click();
}

test("Stripe's script is let in, declines a card, and takes another", async () => {
  const page = await openPayment('Ada');
  await payWith(page, CARDS.declined);
  await page.getByText('Payment Failed', { exact: true }).waitFor();
  await picture(page, 'billing-stripe-declined');
  await payWith(page, CARDS.success);
  await page.getByText('Subscription activated successfully!', { exact: true }).waitFor();
  await page.getByText('Visa ending 4242').first().waitFor();
});

test("the way over the bank's own page ends in a plan and a clean address", async () => {
  const page = await openPayment('Grace');
  await payWith(page, CARDS.asksOnce);
  await page.getByText('Subscription activated successfully!', { exact: true }).waitFor();
  await page.getByText('Active', { exact: true }).waitFor();
  await expect.poll(() => page.url()).toBe(`${stage.origin}/billing`);
});
