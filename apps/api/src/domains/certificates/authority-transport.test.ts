import { expect, it } from 'vitest';
import { secondsOf } from './authority-problem.ts';
import { createTransport } from './authority-transport.ts';

it('asks nothing without https, whatever an authority names', async () => {
  const send = createTransport('https://ca.test/directory', undefined);
  const asked = send({ url: 'http://169.254.169.254/order/1', method: 'post' } as never);
  await expect(asked).rejects.toThrow('The certificate authority at ca.test gave an address without https.');
});

it('reads how long an authority wants to wait, a month at most', () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
  expect(secondsOf('120')).toBe(120);
  expect(Math.abs(secondsOf(inAnHour) - 3600)).toBeLessThan(5);
  expect(secondsOf('999999999')).toBe(31 * 24 * 60 * 60);
  for (const text of ['', 'soon', '-5']) expect(secondsOf(text), text).toBe(0);
});
