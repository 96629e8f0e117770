import { expect, it } from 'vitest';
import { createTransport } from './authority-transport.ts';

it('asks nothing without https, whatever an authority names', async () => {
  const send = createTransport('https://ca.test/directory', undefined);
  const asked = send({ url: 'http://169.254.169.254/order/1', method: 'post' } as never);
  await expect(asked).rejects.toThrow('The certificate authority at ca.test gave an address without https.');
});
