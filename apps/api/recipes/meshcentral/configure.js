import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { HOST = '127.0.0.1', PORT, NEPHOS_DATA, MESH_URL } = process.env;
const { hostname, port, protocol } = new URL(MESH_URL);
const folder = join(NEPHOS_DATA, 'data');
const file = join(folder, 'config.json');

/** Where it is reached is decided by the server that it runs on; all else is the owner's. */
const { settings = {}, domains = { '': { title: 'MeshCentral', newAccounts: false } } } = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8'))
  : {};
Object.assign(settings, {
  cert: hostname,
  port: Number(PORT),
  portBind: HOST,
  aliasPort: Number(port || (protocol === 'https:' ? 443 : 80)),
  redirPort: 0,
  mpsPort: 0,
  WANonly: true,
  tlsOffload: true,
  selfUpdate: false,
});
mkdirSync(folder, { recursive: true });
writeFileSync(file, JSON.stringify({ settings, domains }, null, 2), { mode: 0o600 });
