import { databaseFigures } from '@nephos/contracts';
import { implement } from './mock-implement.ts';

export const databaseFiguresMock = implement(databaseFigures, {
  figures: ({ ctx, input }) => ({ ...ctx.world.databaseFigures, range: input.range ?? '1h' }),
});
