import { createPool } from '@nephos/db';
import { type Console, signUp } from './console.ts';

/** Straight into the tables: what counts is how many there are. One query each, of `$1` an e-mail and `$2` how many. */
const THINGS = [
  `insert into projects (owner_id, name, description, repository_url, branch, framework, slug)
   select id, 'project-' || n, 'One of many', '', 'main', 'nodejs', 'p-' || left(md5(email), 8) || '-' || n
   from users, generate_series(1, $2::int) n where email = $1 order by n`,
  `insert into deployments
     (owner_id, project_id, status, repository_url, branch, framework, health_path, variables)
   select owner_id, projects.id, 'stopped', '', 'main', 'nodejs', '', '{}'
   from projects, generate_series(1, 2) where owner_id = (select id from users where email = $1) and $2 > 0`,
  `insert into stored_files
     (owner_id, file_name, file_path, file_size, mime_type, is_public, object_key, sha256)
   select id, 'file-' || n, '/uploads/', n % 977, 'text/plain', false, id || '/many/' || n, ''
   from users, generate_series(1, $2::int) n where email = $1 order by n`,
  // As many domains as an account may have, and more than a thousand records in one of them.
  `insert into dns_zones (owner_id, domain, serial, verified_at)
   select id, 'zone-' || n || '.' || left(md5(email), 8) || '.example', 1, now()
   from users, generate_series(0, least(99, $2::int / 10)) n where email = $1`,
  `insert into dns_records (owner_id, zone_id, name, record_type, value, ttl)
   select users.id, zone.id, 'host-' || n, 'A', '192.0.2.' || n % 250, 3600
   from users
   cross join generate_series(1, $2::int) n
   join dns_zones zone on zone.owner_id = users.id
     and zone.domain like 'zone-' || (case when n % 5 = 0 then 0 else n % least(100, $2 / 10) end) || '.%'
   where email = $1 order by n`,
  `insert into container_repositories (owner_id, name)
   select id, left(md5(email), 8) || '/shop-' || n from users, generate_series(0, $2::int / 20) n where email = $1`,
  `insert into container_manifests
     (repository_id, digest, media_type, artifact_type, content, size, annotations, image_size)
   select repository.id, 'sha256:' || md5(repository.name || n), 'application/x', '', '{}', 2, '{}', n * 977
   from container_repositories repository, generate_series(1, 20) n
   where owner_id = (select id from users where email = $1) and $2 > 0`,
  `insert into container_images (owner_id, repository_id, tag, digest, pushed_at)
   select owner_id, repository.id, 'v' || n, 'sha256:' || md5(repository.name || n), now()
   from container_repositories repository, generate_series(1, 20) n
   where owner_id = (select id from users where email = $1) order by n limit $2`,
];

/** Gives somebody so many projects, files, records and images. */
export async function fill({ url, databaseUrl }: Console, email: string, count: number): Promise<string> {
  const cookie = await signUp(url, email);
  const pool = createPool({ url: databaseUrl, max: 1 });
  for (const thing of THINGS) await pool.query(thing, [email, count]);
  await pool.query('analyze');
  await pool.end();
  return cookie;
}
