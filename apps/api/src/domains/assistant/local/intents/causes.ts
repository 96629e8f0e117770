import type { Deployment } from '@nephos/contracts';
import { block, code } from '../markdown.ts';

/** A reason for which deployments fail, known by what the platform or the log says. */
interface Cause {
  /** Looked for in the deployment's error and in its log. */
  sign: RegExp;
  /** One sentence. */
  say(found: RegExpMatchArray): string;
  /** What to do, as Markdown. */
  fix(found: RegExpMatchArray, deployment: Deployment): string;
}

const START_SCRIPT = block('json', '{\n  "scripts": { "start": "node server.js" }\n}');
const LISTEN = block('js', "server.listen(process.env.PORT, '0.0.0.0');");

/** The more particular first. */
const CAUSES: readonly Cause[] = [
  {
    sign: /neither a start script nor a main file|Missing script: "?start/,
    say: () => 'The `package.json` has no start script, so nothing says how to start the app.',
    fix: () => `Add one, commit and deploy again:\n\n${START_SCRIPT}`,
  },
  {
    sign: /has no (package\.json|index\.html|Procfile)|choose the framework (\w+)/,
    say: ([, file]) =>
      `The repository does not look like the project's framework${file ? `: there is no ${code(file)} at its top` : ''}.`,
    fix: () =>
      'Choose the right framework in the project’s **Settings**, or move the file to the top folder.',
  },
  {
    sign: /no branch "([^"]+)"/,
    say: ([, branch = '']) => `The repository has no branch ${code(branch)}.`,
    fix: () => 'Set the branch in the project’s **Settings**, or push that branch.',
  },
  {
    sign: /it asks for a sign-in|no Git repository at this address|its server cannot be reached/,
    say: ([said]) => `The repository could not be cloned: ${said}.`,
    fix: () => 'Check the address in the project’s **Settings**; only public repositories can be deployed.',
  },
  {
    sign: /did not listen on port (\d+)/,
    say: ([, port]) => `The app started, but did not listen on the port that it was given (${port}).`,
    fix: () => `Listen on the port in the variable \`PORT\`, not on a fixed one:\n\n${LISTEN}`,
  },
  {
    sign: /An app must keep running/,
    say: () => 'The app ended by itself right after its start, without an error.',
    fix: () => `Let its start command run a server that goes on listening:\n\n${LISTEN}`,
  },
  {
    sign: /EADDRINUSE[^\n]*?(\d{2,5})/,
    say: ([, port]) => `The app listens on the fixed port ${port}, which is taken.`,
    fix: () => `Listen on the port in the variable \`PORT\`:\n\n${LISTEN}`,
  },
  {
    sign: /ModuleNotFoundError: No module named ['"]([^'"]+)/,
    say: ([, name = '']) => `The Python module ${code(name)} is not installed.`,
    fix: ([, name = '']) =>
      `Add it to \`requirements.txt\` and deploy again:\n\n${block('text', name.split('.', 1)[0] ?? name)}`,
  },
  {
    sign: /Cannot find (?:module|package) ['"]([^'"]+)['"]/,
    say: ([, name = '']) => `The module ${code(name)} was not found.`,
    fix: ([, name = '']) =>
      /^[./]/.test(name)
        ? 'Check that the file is committed, and that its name has the same upper and lower case as the import.'
        : `Add it to the dependencies (not only to those for development) and commit the lockfile:\n\n${block('sh', `npm install ${name}`)}`,
  },
  {
    sign: /can only install packages when your package\.json and package-lock\.json|lockfile.*(?:out of date|not up to date)|frozen-lockfile/i,
    say: () => 'The lockfile does not fit the `package.json`.',
    fix: () =>
      `Make it anew and commit it:\n\n${block('sh', 'npm install\ngit add package-lock.json\ngit commit -m "Update the lockfile"')}`,
  },
  {
    sign: /ERESOLVE/,
    say: () => 'Two packages ask for versions that do not go together.',
    fix: () => 'Run `npm install` locally, change the version that it names, and commit the lockfile.',
  },
  {
    sign: /\bE404\b|npm (?:error|ERR!) 404|No matching distribution found for (\S+)/,
    say: ([, name]) =>
      `A package that is asked for${name ? ` (${code(name)})` : ''} does not exist in the registry.`,
    fix: () => 'Check its name and version in `package.json` or `requirements.txt`.',
  },
  {
    sign: /ECONNREFUSED[^\n]*/,
    say: ([said]) => `The app could not reach a server that it needs: ${code(said)}.`,
    fix: () =>
      'If that is a database, put its connection string into a variable of the project (**Environment**) and read it from there; `localhost` is the app’s own machine.',
  },
  {
    sign: /heap out of memory|\bSIGKILL\b|OOMKilled|exit(?:ed with)? code 137/,
    say: () => 'It needed more memory than it may have, and was ended.',
    fix: () => 'Use less memory, for example by building with fewer workers.',
  },
  {
    sign: /Python is not available: ([^\n]+)/,
    say: ([, why = '']) => `This server cannot run Python: ${why}`,
    fix: () => 'Whoever runs the server has to install Python 3 with `venv`. Then deploy again.',
  },
  {
    sign: /made no site/,
    say: () => 'The build made no `index.html` in the folders that are served.',
    fix: () => 'Let the build write to `dist`, `build`, `out` or `public`.',
  },
  {
    sign: /error TS\d+: ([^\n]+)/,
    say: ([, said = '']) => `TypeScript found an error: ${code(said)}.`,
    fix: () => 'Correct it, run the build locally, and push.',
  },
  {
    sign: /KeyError: '([A-Z][A-Z0-9_]+)'|\b([A-Z][A-Z0-9_]{2,}) (?:is (?:not set|not defined|required|missing)|must be set)/,
    say: ([, a, b]) => `The environment variable ${code(a ?? b ?? '')} is not set.`,
    fix: () => 'Add it on the project’s **Environment** tab and deploy again.',
  },
  {
    sign: /(SyntaxError: [^\n]+)/,
    say: ([, said = '']) => `The code does not parse: ${code(said)}.`,
    fix: () => 'Correct the line that the log names, and push.',
  },
  {
    sign: /\b((?:[A-Z]\w*)?Error: [^\n]{3,200})/,
    say: ([, said = '']) => `The program ended with ${code(said)}.`,
    fix: () => 'The lines around it in the log say where it was thrown.',
  },
];

/** By the step at which it ended, where nothing more particular is known. */
const ADVICE: Readonly<Record<string, string>> = {
  clone: 'Check the repository’s address and branch in the project’s **Settings**.',
  detect: 'Check the project’s framework in its **Settings**.',
  install: 'Run the same install locally from a fresh clone; what fails there fails here too.',
  build: 'Run the build locally from a fresh clone; what fails there fails here too.',
  start: 'Run the start command locally with `PORT` set, and see that it keeps running.',
  health: `The app has to answer at its health path below 500 and not with 404. Change the path in **Settings**, or the route:\n\n${block('js', "app.get('/healthz', (request, response) => response.send('ok'));")}`,
  switch: 'Deploy again; if it fails in the same way, the server’s log says more.',
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
