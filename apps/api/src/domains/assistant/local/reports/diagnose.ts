import type { Deployment } from '@nephos/contracts';
import { CAUSES } from './causes.ts';
import { block } from './markdown.ts';

/** By the step at which it ended, where nothing more particular is known. */
const ADVICE: Readonly<Record<string, string>> = {
  clone: 'Check the repository’s address and branch in the project’s **Settings**.',
  detect: 'Check the project’s framework in its **Settings**.',
  install: 'Run the same install locally from a fresh clone; what fails there fails here too.',
  build: 'Run the build locally from a fresh clone; what fails there fails here too.',
  start: 'Run the start command locally with `PORT` set and check that it keeps running.',
  health: `The app has to respond at its health path with a status below 500, and not 404. Change the path in **Settings**, or add the route:\n\n${block('js', "app.get('/healthz', (request, response) => response.send('ok'));")}`,
  switch: 'Deploy again. If it fails the same way, check the server’s log.',
};

export interface Diagnosis {
  /** One sentence beyond the platform's own; '' where that says it all. */
  cause: string;
  /** Markdown. */
  fix: string;
  /** Lines of the log that show it; '' where none does. */
  lines: string;
}

const LINES_BEFORE = 3;
const LINES_AFTER = 6;
const LAST_LINES = 8;
/** Characters of one line: minified code is a line too. */
const LINE_LENGTH = 240;

/** Why a deployment failed, as far as its error and the end of its log tell. */
export function diagnose(deployment: Deployment, log: string): Diagnosis {
  const error = deployment.error ?? '';
  // What the platform says of its own accord is surer than what stands somewhere in a log.
  for (const text of [error, log]) {
    for (const cause of CAUSES) {
      const found = text.match(cause.sign);
      if (!found) continue;
      return { cause: cause.say(found), fix: cause.fix(found, deployment), lines: decisive(log, found[0]) };
    }
  }
  return { cause: '', fix: ADVICE[deployment.step ?? ''] ?? '', lines: decisive(log, '') };
}

/** The lines around a sign in the log; without one, around the last that speaks of an error, or simply the last. */
function decisive(log: string, sign: string): string {
  const lines = log.split('\n').filter((line) => line.trim() !== '');
  const of = sign.split('\n', 1)[0] ?? '';
  const signed = of === '' ? -1 : lines.findIndex((line) => line.includes(of));
  const at =
    signed >= 0 ? signed : lines.findLastIndex((line) => /\b(?:error|fatal|failed)\b|ERR!/i.test(line));
  const shown =
    at >= 0 ? lines.slice(Math.max(0, at - LINES_BEFORE), at + LINES_AFTER) : lines.slice(-LAST_LINES);
  return shown
    .map((line) => (line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line))
    .join('\n');
}
