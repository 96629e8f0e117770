import { databaseUsers } from '@nephos/contracts';
import { found, implement, success } from './mock-implement.ts';

export const databaseUsersMock = implement(databaseUsers, {
  list: ({ ctx }) => ctx.world.databaseUsers,
  create: ({ ctx: { world }, input: { name, access } }) => {
    const user = { id: crypto.randomUUID(), name, access, createdAt: '2026-11-24T10:00:00.000Z' };
    world.databaseUsers = [...world.databaseUsers, user];
    return { user, connectionString: addressOf(world.connectionString, name, 'made') };
  },
  rotatePassword: ({ ctx: { world }, input }) => {
    const user = found(world.databaseUsers, input.userId);
    return { user, connectionString: addressOf(world.connectionString, user.name, 'rotated') };
  },
  remove: ({ ctx: { world }, input }) => {
    found(world.databaseUsers, input.userId);
    world.databaseUsers = world.databaseUsers.filter(({ id }) => id !== input.userId);
    return success;
  },
});

function addressOf(connectionString: string, name: string, password: string): string {
  const address = new URL(connectionString);
  [address.username, address.password] = [name, password];
  return address.href;
}
