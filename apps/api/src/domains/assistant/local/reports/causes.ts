import type { Deployment } from '@nephos/contracts';
import { block, code } from './markdown.ts';

/** A reason for which deployments fail, known by what the platform or the log says. */
export interface Cause {
  /** Looked for in the deployment's error and in its log. */
  sign: RegExp;
  /** One sentence. */
  say(found: RegExpMatchArray): string;
  /** What to do, as Markdown. */
  fix(found: RegExpMatchArray, deployment: Deployment): string;
}

const START_SCRIPT = block('json', '{\n  "scripts": { "start": "node server.js" }\n}');
const LISTEN = block('js', "server.listen(process.env.PORT, '0.0.0.0');");

/** Steps of processes whose limits can be set; a release command has those of `web`. */
const RUNNING_STEPS: readonly Deployment['step'][] = ['release', 'start', 'health', 'switch'];

function memoryFix({ step }: Deployment): string {
  return RUNNING_STEPS.includes(step)
    ? 'Raise the memory of the process on the project’s **Processes** tab and deploy again. Or use less: read large files in pieces, and start fewer workers.'
    : 'Use less memory: build with fewer workers and without source maps. The limit of builds is the server’s, the same for all projects.';
}

/** A package of npm or PyPI. A log is anybody's text: nothing else of it comes into a command. */
const PACKAGE = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i;

/** What helps where an import names a module that is not there. */
function importFix(name: string): string {
  if (/^[./]/.test(name)) {
    return 'Check that the file is committed, and that its name has the same upper and lower case as the import.';
  }
  // `lodash` of `lodash/fp`, `@scope/name` of `@scope/name/sub`.
  const parts = name.split('/').slice(0, name.startsWith('@') ? 2 : 1);
  return added('dependencies (not only to those for development)', 'npm install ', parts.join('/'));
}

function added(list: string, command: string, name: string): string {
  const how = PACKAGE.test(name) ? `:\n\n${block(command ? 'sh' : 'text', command + name)}` : '.';
  return `Add the package that provides it to the ${list}, commit that and deploy again${how}`;
}

/** The more particular first. */
export const CAUSES: readonly Cause[] = [
  {
    sign: /neither a start script nor a main file|Missing script: "?start/,
    say: () => 'The `package.json` has no start script, so nothing says how to start the app.',
    fix: () => `Add one, commit and deploy again:\n\n${START_SCRIPT}`,
  },
  {
    sign: /has no (package\.json|index\.html|Procfile)|choose the framework (\w+)/,
    say: ([, file]) =>
      `The repository doesn’t match the project’s framework${file ? `: there is no ${code(file)} in its root folder` : ''}.`,
    fix: () =>
      'Choose the right framework in the project’s **Settings**, or move the file to the root folder.',
  },
  {
    sign: /no branch "([^"]+)"/,
    say: ([, branch = '']) => `The repository has no branch ${code(branch)}.`,
    fix: () => 'Set the branch in the project’s **Settings**, or push that branch.',
  },
  {
    // The second three are what deployments that failed before an update of this server say.
    sign: /it is private, or the URL is wrong|the Git server refused the token|no Git repository was found at this URL|the Git server is unreachable|it asks for a sign-in|no Git repository at this address|its server cannot be reached/,
    say: ([said]) => `The repository could not be cloned: ${said}.`,
    fix: () =>
      'Check the address in the project’s **Settings**; a private repository needs a token that can read it.',
  },
  {
    sign: /the host (\S+) was not found/,
    say: ([, host = '']) => `The repository’s host ${code(host)} has no address.`,
    fix: () =>
      'Check the host name in the URL. If it’s right, this server can’t reach the internet or its DNS.',
  },
  {
    sign: /certificate is not valid/,
    say: () => 'The repository’s server has an invalid certificate.',
    fix: () => 'Use the address the certificate was issued for, or have it renewed.',
  },
  {
    sign: /web line of the Procfile uses shell syntax/,
    say: () => 'The `web` line of the `Procfile` has to be a single command.',
    fix: () =>
      `Use one command, in which \`$PORT\` is replaced, and move the rest into a script:\n\n${block('text', 'web: gunicorn --bind 0.0.0.0:$PORT app:app')}`,
  },
  {
    sign: /used more than (\S+ \S+) of memory|ran out of memory \((\S+ [^\s)]+)\)/,
    say: ([, watched, kernels]) => `It exceeded the memory limit of ${watched ?? kernels} and was stopped.`,
    fix: (_, deployment) => memoryFix(deployment),
  },
  {
    sign: /it used more than (\S+ \S+) of disk/,
    say: ([, most = '']) => `It exceeded the disk limit of ${most}.`,
    fix: () =>
      'Keep large files out of the repository (upload them to **Storage** instead) and remove unused dependencies.',
  },
  {
    sign: /it ran more than (\d+) processes/,
    say: ([, most = '']) => `It exceeded the limit of ${most} processes.`,
    fix: () => 'Build with fewer workers, for example `--maxWorkers=2` or `-j2`.',
  },
  {
    sign: /it took more than ([\d.]+ \w+)/,
    say: ([, most = '']) => `It didn’t finish within ${most} and was stopped.`,
    fix: () =>
      'Check the log for where it hangs: a command that waits for input, a server or watcher that never exits, or a stalled download. A build has to exit on its own.',
  },
  {
    sign: /did not listen on port (\d+)/,
    say: ([, port]) => `The app started but didn’t listen on its port (${port}).`,
    fix: () => `Listen on the port in the \`PORT\` variable, not a fixed one:\n\n${LISTEN}`,
  },
  {
    sign: /An app must keep running/,
    say: () => 'The app exited right after starting, without an error.',
    fix: () => `Its start command has to run a server that keeps listening:\n\n${LISTEN}`,
  },
  {
    sign: /EADDRINUSE[^\n]*?(\d{2,5})/,
    say: ([, port]) => `The app listens on the fixed port ${port}, which is already in use.`,
    fix: () => `Listen on the port in the \`PORT\` variable:\n\n${LISTEN}`,
  },
  {
    sign: /ModuleNotFoundError: No module named ['"]([^'"]+)/,
    say: ([, name = '']) => `The Python module ${code(name)} is not installed.`,
    fix: ([, name = '']) => added('`requirements.txt`', '', name.split('.', 1)[0] ?? ''),
  },
  {
    sign: /Missing script: "?([\w:-]+)/,
    say: ([, name = '']) => `The \`package.json\` has no script ${code(name)}.`,
    fix: ([, name = '']) =>
      `Add it under \`scripts\`, or remove what calls it:\n\n${block('sh', `npm pkg set scripts.${name}="…"`)}`,
  },
  {
    sign: /EJSONPARSE|JSON\.parse[^\n]*package\.json|package\.json[^\n]*(?:is not valid JSON|Unexpected token)/,
    say: () => 'The `package.json` is not valid JSON.',
    fix: () => `Find the error, fix it and push:\n\n${block('sh', 'npm pkg get name')}`,
  },
  {
    sign: /Could not open requirements file|Invalid requirement: ([^\n]+)/,
    say: ([, line]) =>
      line
        ? `\`requirements.txt\` has an invalid line: ${code(line)}.`
        : 'The `requirements.txt` can’t be read.',
    fix: () => `Regenerate it:\n\n${block('sh', 'pip freeze > requirements.txt')}`,
  },
  {
    sign: /pg_config executable not found/,
    say: () => 'Installing `psycopg2` compiles it, which needs the PostgreSQL headers.',
    fix: () => `Use the precompiled package in \`requirements.txt\`:\n\n${block('text', 'psycopg2-binary')}`,
  },
  {
    sign: /gyp ERR! (?:find Python|stack Error: not found: make)|not found: make|command '[^']*(?:gcc|cc)' failed|error: Microsoft Visual C/,
    say: () => 'A package has to be compiled, and this server has no build tools.',
    fix: () =>
      'Use a version that is precompiled for Linux, or a package without native code. Or ask the admin of this server to install `build-essential` and `python3`.',
  },
  {
    sign: /(?:[Cc]ould not|[Ff]ailed to) resolve (?:import )?["']([^"']+)["']|Can't resolve '([^']+)'/,
    say: ([, a, b]) => `The build cannot find ${code(a ?? b ?? '')}, which a file imports.`,
    fix: ([, a, b]) => importFix(a ?? b ?? ''),
  },
  {
    sign: /ERR_REQUIRE_ESM|Cannot use import statement outside a module|require is not defined in ES module/,
    say: () => 'The code mixes `import` and `require` in a way that Node.js does not load.',
    fix: () =>
      `Use \`import\` everywhere and set this in \`package.json\`, or rename the files that use \`require\` to \`.cjs\`:\n\n${block('json', '{\n  "type": "module"\n}')}`,
  },
  {
    sign: /ERR_OSSL_EVP_UNSUPPORTED|digital envelope routines::unsupported/,
    say: () => 'An old version of webpack uses a hash that newer versions of Node.js don’t support.',
    fix: () =>
      'Update webpack (or `react-scripts`) to version 5; until then, set the variable `NODE_OPTIONS` to `--openssl-legacy-provider` on the project’s **Environment** tab.',
  },
  {
    sign: /EBADENGINE|The engine "node" is incompatible|Unsupported engine/,
    say: () => 'A package requires a different version of Node.js than the project uses.',
    fix: () =>
      'Set the Node.js version in the project’s **Settings**, or with `engines` in your own `package.json`. Or use a compatible version of the package.',
  },
  {
    sign: /(?:sh|bash): (?:\d+: |line \d+: )?([\w./@-]+): (?:command )?not found/,
    say: ([, name = '']) => `The command ${code(name)} was not found.`,
    fix: () =>
      'Add the package that provides it (`typescript` for `tsc`) to the `package.json` or `requirements.txt`, and commit the lockfile.',
  },
  {
    sign: /(?:getaddrinfo|ENOTFOUND|EAI_AGAIN) (?:EAI_AGAIN |ENOTFOUND )?([\w.-]+)/,
    say: ([, host = '']) => `The host name ${code(host)} could not be resolved.`,
    fix: () => 'Check the name. If it is right, deploy again: the network may have failed briefly.',
  },
  {
    sign: /ENOSPC/,
    say: () => 'This server’s disk is full.',
    fix: () => 'Ask the admin of this server to free disk space, then deploy again.',
  },
  {
    sign: /Cannot find (?:module|package) ['"]([^'"]+)['"]/,
    say: ([, name = '']) => `The module ${code(name)} was not found.`,
    fix: ([, name = '']) => importFix(name),
  },
  {
    sign: /can only install packages when your package\.json and package-lock\.json|lockfile.*(?:out of date|not up to date)|frozen-lockfile/i,
    say: () => 'The lockfile doesn’t match the `package.json`.',
    fix: () =>
      `Regenerate and commit it:\n\n${block('sh', 'npm install\ngit add package-lock.json\ngit commit -m "Update the lockfile"')}`,
  },
  {
    sign: /ERESOLVE/,
    say: () => 'Two packages require incompatible versions.',
    fix: () => 'Run `npm install` locally, change the version that it names, and commit the lockfile.',
  },
  {
    sign: /\bE404\b|npm (?:error|ERR!) 404|No matching distribution found for (\S+)/,
    say: ([, name]) => `A required package${name ? ` (${code(name)})` : ''} doesn’t exist in the registry.`,
    fix: () => 'Check its name and version in `package.json` or `requirements.txt`.',
  },
  {
    sign: /ECONNREFUSED[^\n]*/,
    say: ([said]) => `The app couldn’t reach a server it needs: ${code(said)}.`,
    fix: () =>
      'If that is a database, set its connection string as a variable on the project’s **Environment** tab and read it from there. `localhost` is the app’s own machine.',
  },
  {
    sign: /heap out of memory|\bSIGKILL\b|OOMKilled|exit(?:ed with)? code 137/,
    say: () => 'It exceeded its memory limit and was stopped.',
    fix: (_, deployment) => memoryFix(deployment),
  },
  {
    sign: /Python is not available: ([^\n]+)/,
    say: ([, why = '']) => `This server cannot run Python: ${why}`,
    fix: () => 'Ask the admin of this server to install Python 3 with `venv`, then deploy again.',
  },
  {
    // The second is what deployments that failed before an update of this server say.
    sign: /no index\.html found in|made no site/,
    say: () => 'The build didn’t create an `index.html` in a folder that is served.',
    fix: () =>
      'Set the output folder in the project’s **Settings**, or configure the build to write to `dist`, `build`, `out` or `public`.',
  },
  {
    sign: /error TS\d+: ([^\n]+)/,
    say: ([, said = '']) => `TypeScript found an error: ${code(said)}.`,
    fix: () => 'Fix it, run the build locally and push.',
  },
  {
    sign: /KeyError: '([A-Z][A-Z0-9_]+)'|\b([A-Z][A-Z0-9_]{2,}) (?:is (?:not set|not defined|required|missing)|must be set)/,
    say: ([, a, b]) => `The environment variable ${code(a ?? b ?? '')} is not set.`,
    fix: () => 'Add it on the project’s **Environment** tab and deploy again.',
  },
  {
    sign: /(SyntaxError: [^\n]+)/,
    say: ([, said = '']) => `The code has a syntax error: ${code(said)}.`,
    fix: () => 'Fix the line shown in the log and push.',
  },
  {
    sign: /\b((?:[A-Z]\w*)?Error: [^\n]{3,200})/,
    say: ([, said = '']) => `The program crashed with ${code(said)}.`,
    fix: () => 'The log lines around it show where it was thrown.',
  },
];
