import type { Framework } from '@nephos/contracts';
import { detectNodejs } from './detect-nodejs.ts';
import { detectPython } from './detect-python.ts';
import { detectStatic } from './detect-static.ts';
import type { Plan } from './plan.ts';
import type { Snapshot } from './snapshot.ts';

const DETECTORS: Readonly<Record<Framework, (snapshot: Snapshot, folder: string) => Plan>> = {
  nodejs: detectNodejs,
  static: detectStatic,
  python: detectPython,
};

/** What to do with a repository in `folder` as the chosen framework. Throws `CannotRun`. */
export function detect(framework: Framework, snapshot: Snapshot, folder: string): Plan {
  return DETECTORS[framework](snapshot, folder);
}
