import type { Administrator } from './mysql-administrator.ts';

/** What a server that we did not set up leaves open to the users of its databases, and how it is closed. */
export async function weaknessesOf(admin: Administrator): Promise<string[]> {
  const [symlinks] = await admin.rows("SHOW VARIABLES LIKE 'have_symlink'", []);
  const [nameless] = await admin.rows("SELECT COUNT(*) AS count FROM mysql.user WHERE user = ''", []);
  const found: string[] = [];
  if (symlinks?.Value === 'YES') {
    found.push(
      'tables can be placed in any folder that the server may write: start it with skip-symbolic-links',
    );
  }
  if (Number(nameless?.count) > 0) {
    found.push("its user without a name takes the place of a database's own: drop that user");
  }
  return found;
}
