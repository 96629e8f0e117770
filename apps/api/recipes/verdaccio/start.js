import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import bcrypt from 'bcryptjs';
import { runServer } from 'verdaccio';

const { HOST = '127.0.0.1', PORT, NEPHOS_DATA, ADMIN_PASSWORD } = process.env;

/** Only who has an account reads or publishes, and accounts are made in `htpasswd` alone. */
const CONFIG = `storage: ./storage
web:
  title: Verdaccio
auth:
  htpasswd:
    file: ./htpasswd
    max_users: -1
uplinks:
  npmjs:
    url: https://registry.npmjs.org/
packages:
  '**':
    access: $authenticated
    publish: $authenticated
    unpublish: $authenticated
    proxy: npmjs
security:
  api:
    jwt:
      sign:
        expiresIn: 90d
log:
  type: stdout
  format: pretty
  level: warn
`;

/** Writes a file of the disk, whole or not at all, unless it is there: from then on it is the owner's to change. */
function begin(name, text) {
  const file = join(NEPHOS_DATA, name);
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, text(), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return file;
}

begin('htpasswd', () => `admin:${bcrypt.hashSync(ADMIN_PASSWORD, 10)}\n`);
const server = await runServer(begin('config.yaml', () => CONFIG));
server.listen(PORT, HOST);
