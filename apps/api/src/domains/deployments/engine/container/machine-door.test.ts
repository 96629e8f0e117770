import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { inSubnet, openDoor } from './machine-door.ts';

const log = pino({ level: 'silent' });

function ask(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ host, port, localAddress: '127.0.0.3' });
    socket.on('data', (data) => {
      text += data;
    });
    socket.once('error', () => resolve('refused'));
    socket.once('close', () => resolve(text));
  });
}

it('leads those of its network to the loopback, from its own address', async () => {
  const database = createServer((socket) => socket.end(`you are ${socket.remoteAddress}`));
  database.listen(0, '127.0.0.1');
  await once(database, 'listening');
  const { port } = database.address() as AddressInfo;

  const door = openDoor({ gateway: '127.0.0.2', admits: inSubnet('127.0.0.2/31'), log });
  await door.lead([port]);
  await door.lead([port]);
  expect(await ask('127.0.0.2', port)).toBe('you are 127.0.0.2');
  door.close();

  const others = openDoor({ gateway: '127.0.0.4', admits: inSubnet('127.0.0.4/31'), log });
  await others.lead([port]);
  expect(await ask('127.0.0.4', port)).not.toContain('you are');
  others.close();
  database.close();
});
