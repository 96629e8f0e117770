import { expect, test } from 'vitest';
import { scopeOf } from './holds.ts';
import { registeredDomainOf } from './registered-domain.ts';

test.each([
  [
    'too many new orders (300) from this account in the last 3h0m0s, retry after 2026-01-01 00:00:00 UTC',
    'account',
  ],
  ['too many new registrations (10) from this IP address in the last 3h0m0s', 'account'],
  ['Service busy; retry later.', 'account'],
  [
    'too many certificates (50) already issued for "example.co.uk" in the last 168h0m0s, retry after 2026-01-01 00:00:00 UTC: see https://letsencrypt.org/docs/rate-limits/',
    'registered domain',
  ],
  ['too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s', 'name'],
  ['too many failed authorizations (5) for "shop.example.co.uk" in the last 1h0m0s', 'name'],
  ['too many requests for "shop.example.co.uk"', 'name'],
  [
    'Your account is temporarily prevented from requesting certificates for shop.example.co.uk and possibly others. Please visit: https://portal.letsencrypt.org/unpause',
    'name',
  ],
])('%s: %s', (words, scope) => {
  expect(scopeOf(words, 'shop.example.co.uk', 'example.co.uk')).toBe(scope);
});

test.each([
  ['example.com', 'example.com'],
  ['*.a.shop.example.co.uk', 'example.co.uk'],
  ['ada.github.io', 'ada.github.io'],
  ['a.ada.github.io', 'ada.github.io'],
  ['github.io', 'github.io'],
  ['console.ada.test', 'ada.test'],
  ['localhost', 'localhost'],
])('%s belongs to %s', async (name, domain) => {
  expect(await registeredDomainOf(name)).toBe(domain);
});
