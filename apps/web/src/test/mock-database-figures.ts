import { databaseFigures } from '@nephos/contracts';
import { implement, success } from './mock-implement.ts';

export const databaseFiguresMock = implement(databaseFigures, {
  figures: ({ ctx, input }) => ({ ...ctx.world.databaseFigures, range: input.range ?? '1h' }),
  statements: ({ ctx }) => ctx.world.countedStatements,
  resetStatements: ({ ctx: { world } }) => {
    world.countedStatements = { ...world.countedStatements, since: null, statements: [] };
    return success;
  },
  wake: ({ ctx: { world } }) => {
    world.countedStatements = { ...world.countedStatements, state: 'asked' };
    return success;
  },
});
