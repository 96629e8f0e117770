import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Every program of that name on a PATH, in its order. */
export function findPrograms(name: string, path: string): string[] {
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .filter(isProgram);
}

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
