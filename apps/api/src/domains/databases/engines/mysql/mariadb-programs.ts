import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where packages put servers, which a person's PATH often leaves out. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin'];

/** The MariaDB server of this machine and what makes a data folder for it: absolute paths. */
export interface MariadbPrograms {
  server: string;
  install: string;
}

/** MariaDB's own clients: absolute paths. */
export interface MariadbClients {
  dump: string;
  client: string;
}

/** Looks on `path` and in the system's `places`; undefined where one of the two programs is missing. */
export function findMariadb(path = '', places = SYSTEM_FOLDERS): MariadbPrograms | undefined {
  const find = finder(path, places);
  const server = find('mariadbd');
  const install = find('mariadb-install-db') ?? find('mysql_install_db');
  return server && install ? { server, install } : undefined;
}

/** As `findMariadb`. Those of MySQL are no substitute: what keeps a dump from running programs here is MariaDB's. */
export function findMariadbClients(path = '', places = SYSTEM_FOLDERS): MariadbClients | undefined {
  const find = finder(path, places);
  const dump = find('mariadb-dump');
  const client = find('mariadb');
  return dump && client ? { dump, client } : undefined;
}

function finder(path: string, places: readonly string[]): (name: string) => string | undefined {
  const folders = [...path.split(delimiter).filter((folder) => folder.startsWith('/')), ...places];
  return (name) => folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
