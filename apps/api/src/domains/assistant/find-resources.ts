import type { FoundResource } from '@nephos/contracts';
import { type RawBuilder, sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';

/** The longest names first: of a text that holds more, these say most. */
const MOST = 50;

/** A text as lower-case words with a space before, between and after them; marks and punctuation are none. */
function wordsOf(text: RawBuilder<string>): RawBuilder<string> {
  return sql`(' ' || trim(regexp_replace(
    regexp_replace(lower(normalize(${text}, NFKD)), '[\\u0300-\\u036f]', '', 'g'),
    '[^[:alnum:]_]+', ' ', 'g')) || ' ')`;
}

/**
 * Finds what the person has and a text calls by its name, or what has the text in its name: word for word, without
 * regard to case and punctuation. Names that are the same are one resource, the newest.
 */
export async function findResources({ db, ownerId }: UserContext, text: string): Promise<FoundResource[]> {
  const { rows } = await sql<FoundResource>`
    with named (kind, id, name, called) as (
      select 'project', id, name, unnest(array[name, slug, regexp_replace(name, '^(my|our|the)\\s+', '', 'i')])
      from projects where owner_id = ${ownerId}
      union all
      select 'database', id, name, name from managed_databases where owner_id = ${ownerId}
      union all
      select 'image', image.id, repository.name || ':' || image.tag,
        unnest(array[repository.name || ':' || image.tag, repository.name, regexp_replace(repository.name, '^.*/', '')])
      from container_images image join container_repositories repository on repository.id = image.repository_id
      where image.owner_id = ${ownerId}
      union all
      select 'domain', id, domain, domain from dns_zones where owner_id = ${ownerId}
      union all
      select 'file', id, file_path || file_name, file_name from stored_files where owner_id = ${ownerId}
      union all
      select 'mobile-app', id, name, unnest(array[name, bundle_id]) from mobile_apps where owner_id = ${ownerId}
    ), spelled as (
      select named.*, ${wordsOf(sql`called`)} as words, ${wordsOf(sql`${text}::text`)} as asked from named
    ), newest as (
      select distinct on (kind, words) kind, id, name, called from spelled
      where words <> '  ' and asked <> '  ' and (position(words in asked) > 0 or position(asked in words) > 0)
      order by kind, words, id desc
    ), found as (
      select distinct on (kind, id) * from newest order by kind, id, length(called) desc
    )
    select * from found order by length(called) desc, id desc limit ${MOST}`.execute(db);
  return rows;
}
