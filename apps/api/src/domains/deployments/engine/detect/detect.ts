import type { Framework, RunSettings } from '@nephos/contracts';
import { detectNodejs } from './detect-nodejs.ts';
import { detectPython } from './detect-python.ts';
import { detectStatic, type Programs } from './detect-static.ts';
import type { Plan } from './plan.ts';
import type { Snapshot } from './snapshot.ts';

type Detector = (snapshot: Snapshot, settings: RunSettings, programs: Programs) => Plan;

const DETECTORS: Readonly<Record<Framework, Detector>> = {
  nodejs: detectNodejs,
  static: detectStatic,
  python: detectPython,
};

/** What to do with a repository as the chosen framework and as it was set. Throws `CannotRun`. */
export function detect(
  framework: Framework,
  snapshot: Snapshot,
  settings: RunSettings,
  programs: Programs = { hugo: false, containers: false },
): Plan {
  return DETECTORS[framework](snapshot, settings, programs);
}
