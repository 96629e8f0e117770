import { z } from 'zod';
import { MAX_FILES_AT_ONCE } from './constants.ts';
import { Id } from './page.ts';

/** Files that one call is about; one that is named twice counts once. */
export const ManyFiles = z.object({
  ids: z
    .array(Id)
    .min(1, 'Choose a file.')
    .max(MAX_FILES_AT_ONCE, `Choose at most ${MAX_FILES_AT_ONCE} files at once.`),
});

/** What came of each of them: what could not be done to one keeps none of the others. */
export const ManyFilesOutcome = z.object({
  done: z.array(Id),
  failed: z.array(
    z.object({
      id: Id,
      /** As in an error's body. */
      code: z.string(),
      message: z.string(),
    }),
  ),
});
export type ManyFilesOutcome = z.output<typeof ManyFilesOutcome>;
