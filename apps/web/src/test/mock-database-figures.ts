import { databaseFigures } from '@nephos/contracts';
import { implement, success } from './mock-implement.ts';

export const databaseFiguresMock = implement(databaseFigures, {
  figures: ({ ctx, input }) => ({ ...ctx.world.databaseFigures, range: input.range ?? '1h' }),
  statements: ({ ctx }) => ctx.world.countedStatements,
  resetStatements: ({ ctx: { world } }) => {
    world.countedStatements = { ...world.countedStatements, since: null, statements: [] };
    return success;
  },
  sessions: ({ ctx }) => ctx.world.databaseSessions,
  cancelSession: ({ ctx: { world }, input }) => {
    const { state, sessions } = world.databaseSessions;
    const rest = sessions.map((one) => (one.id === input.session ? { ...one, state: 'idle' } : one));
    world.databaseSessions = { state, sessions: rest };
    return { found: rest.length > 0 };
  },
  endSession: ({ ctx: { world }, input }) => {
    const { state, sessions } = world.databaseSessions;
    world.databaseSessions = { state, sessions: sessions.filter(({ id }) => id !== input.session) };
    return { found: true };
  },
  wake: ({ ctx: { world } }) => {
    world.databaseSessions = { ...world.databaseSessions, state: 'asked' };
    world.countedStatements = { ...world.countedStatements, state: 'asked' };
    return success;
  },
});
