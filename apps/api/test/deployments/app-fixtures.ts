import type { Files } from '../git-server.ts';

/** Repositories that the tests deploy; none of them needs the internet. */

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** A server without packages; `code` is its request listener's body, with `request` and `response`. */
export function nodeApp(code: string, options: { before?: string; packageJson?: object } = {}): Files {
  return {
    'package.json': json({ name: 'app', scripts: { start: 'node server.js' }, ...options.packageJson }),
    'server.js': `${options.before ?? ''}
require('node:http')
  .createServer((request, response) => { ${code} })
  .listen(process.env.PORT, process.env.HOST);
`,
  };
}

/** Answers everything with a text. */
export function helloApp(text: string, options: { before?: string; packageJson?: object } = {}): Files {
  return nodeApp(`response.end(${JSON.stringify(text)});`, options);
}

/** Answers by a package that lies in the repository, and that only an install puts in its place. */
export function nodeAppWithPackage(text: string): Files {
  return {
    'package.json': json({
      name: 'app',
      scripts: { build: 'node build.js', start: 'node server.js' },
      dependencies: { greeting: 'file:./greeting' },
    }),
    'greeting/package.json': json({ name: 'greeting', version: '1.0.0', main: 'index.js' }),
    'greeting/index.js': `module.exports = ${JSON.stringify(text)};\n`,
    'build.js': `require('node:fs').writeFileSync('built.json', JSON.stringify(require('greeting')));\n`,
    'server.js': `const text = require('./built.json');
require('node:http').createServer((_, response) => response.end(text)).listen(process.env.PORT, '127.0.0.1');
`,
  };
}

export function staticSite(html: string): Files {
  return {
    'index.html': html,
    'docs/index.html': '<h1>Docs</h1>',
    'style.css': 'body{}',
    '404.html': '<h1>Own 404</h1>',
  };
}

/** A site that a build script makes in `dist`. */
export function builtSite(html: string): Files {
  return {
    'package.json': json({ name: 'site', scripts: { build: 'node build.js' } }),
    'build.js': `const fs = require('node:fs');
fs.mkdirSync('dist/assets', { recursive: true });
fs.writeFileSync('dist/index.html', ${JSON.stringify(html)});
fs.writeFileSync('dist/assets/app.js', 'console.log(1)');
`,
  };
}
