import type { Settings } from '../core/settings.ts';

/** What lies elsewhere by the settings, and is in no backup: sentences. */
export function elsewhere(
  settings: Pick<Settings, 'managedPostgresUrl' | 'managedMysqlUrl' | 'managedMongodbUrl'>,
): string[] {
  const said: string[] = [];
  for (const [type, url] of [
    ['PostgreSQL', settings.managedPostgresUrl],
    ['MySQL', settings.managedMysqlUrl],
    ['MongoDB', settings.managedMongodbUrl],
  ] as const) {
    if (url) said.push(`${type} databases are on a server of your own: back that up itself.`);
  }
  return said;
}
