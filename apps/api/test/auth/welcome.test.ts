import type { Welcome } from '@nephos/contracts';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../../tools/server-process.mjs';
import type { Settings } from '../../src/core/settings.ts';
import { createScriptedEngine } from '../databases/scripted-database-engine.ts';
import { createWorld, type World } from '../world.ts';

async function worldWith(settings: Partial<Settings>, running = false): Promise<World> {
  const mysql = createScriptedEngine('mysql');
  const databaseEngines = {
    postgresql: createScriptedEngine('postgresql'),
    mysql: { ...mysql, unavailable: () => 'MANAGED_MYSQL_URL is not set.' },
    mongodb: createScriptedEngine('mongodb'),
    redis: createScriptedEngine('redis'),
  };
  const world = await createWorld({ settings, running, overrides: { databaseEngines } });
  onTestFinished(() => world.close());
  return world;
}

/** What both doors answer to somebody who is not signed in. */
async function welcome({ anyone }: World): Promise<Welcome> {
  const { status, body } = await anyone.rest('GET /api/auth/welcome');
  expect(status).toBe(200);
  expect(await anyone.rpc.auth.welcome.query()).toEqual(body);
  return body as Welcome;
}

test('anyone learns what the server has', async () => {
  const world = await worldWith({ dnsPort: await freePort() }, true);
  expect(await welcome(world)).toEqual({
    signups: true,
    invitations: true,
    billing: true,
    membersDeploy: true,
    databases: ['postgresql', 'mongodb', 'redis'],
    dns: true,
  });
});

test('and what it has not, once there is somebody who can invite', async () => {
  const publicUrl = new URL('https://console.example.com');
  const world = await worldWith({ publicUrl, signups: 'closed', billing: false });
  const without = {
    billing: false,
    invitations: false,
    membersDeploy: false,
    dns: false,
    databases: ['postgresql', 'mongodb', 'redis'],
  };
  expect(await welcome(world)).toEqual({ ...without, signups: true });
  const signup = { email: 'ada@example.com', password: 'correct horse battery' };
  expect((await world.anyone.rest('POST /api/signup', { body: signup })).status).toBe(201);
  expect(await welcome(world)).toEqual({ ...without, signups: false });
});
