import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where packages put servers, which a person's PATH often leaves out. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin'];

/** The MariaDB server of this machine and what makes a data folder for it: absolute paths. */
export interface MariadbPrograms {
  server: string;
  install: string;
}

/** Looks on `path` and in the system's `places`; undefined where one of the two programs is missing. */
export function findMariadb(path = '', places = SYSTEM_FOLDERS): MariadbPrograms | undefined {
  const folders = [...path.split(delimiter).filter((folder) => folder.startsWith('/')), ...places];
  const find = (name: string) => folders.map((folder) => join(folder, name)).find(isExecutable);
  const server = find('mariadbd');
  const install = find('mariadb-install-db') ?? find('mysql_install_db');
  return server && install ? { server, install } : undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
