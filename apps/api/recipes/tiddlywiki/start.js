const { existsSync, renameSync, rmSync } = require('node:fs');
const { join } = require('node:path');
const { TiddlyWiki } = require('tiddlywiki');

const { HOST = '127.0.0.1', PORT, NEPHOS_DATA, WIKI_PASSWORD } = process.env;
const USER = 'wiki';
const folder = join(NEPHOS_DATA, 'wiki');

if (!WIKI_PASSWORD) {
  console.error('Set WIKI_PASSWORD: without it, anyone could read and change the wiki.');
  process.exit(1);
}
if (WIKI_PASSWORD.includes(':')) {
  console.error(
    'Set WIKI_PASSWORD to a password without a colon: TiddlyWiki refuses others when people log in.',
  );
  process.exit(1);
}

/** As the `tiddlywiki` command does, but in this process: arguments of another one can be seen by others. */
function run(args, callback) {
  const wiki = TiddlyWiki();
  wiki.boot.argv = args;
  wiki.boot.boot(callback);
}

function serve() {
  const credentials = [`username=${USER}`, `password=${WIKI_PASSWORD}`];
  run([folder, '--listen', `host=${HOST}`, `port=${PORT}`, ...credentials]);
}

if (existsSync(join(folder, 'tiddlywiki.info'))) serve();
else {
  // Beside its place, so that a first start that is cut short begins anew.
  const begun = `${folder}.new`;
  rmSync(begun, { recursive: true, force: true });
  run([begun, '--init', 'server'], () => {
    renameSync(begun, folder);
    serve();
  });
}
