import type { DatabaseTable, TableColumn, TableStructure } from '@nephos/contracts';
import type pg from 'pg';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import { type ContentsParts, look } from './own-connection.ts';

const MOST_TABLES = 1000;

/** Of a row of `pg_class`. */
const KIND = `case relkind when 'r' then 'table' when 'p' then 'partitioned table' when 'v' then 'view'
  when 'm' then 'materialized view' else 'foreign table' end`;
/** Whether asking for its size would wait for somebody who changes its structure, or wants to. */
const LOCKED = `exists (
  select from pg_locks where relation = pg_class.oid and mode = 'AccessExclusiveLock'
    and database = (select oid from pg_database where datname = current_database()))`;
const KINDS = `relkind in ('r', 'p', 'v', 'm', 'f')`;

interface TableName {
  id: string;
  schema: string;
  table: string;
}

/** What people made in a database of theirs. Throws as `look` does. */
export function listTables(
  ctx: UserContext,
  parts: ContentsParts,
  { id }: { id: string },
): Promise<DatabaseTable[]> {
  return look(ctx, parts, id, async (client) => {
    const { rows } = await client.query<
      Record<'schema' | 'name' | 'rows' | 'size' | 'columns', string> & { kind: DatabaseTable['kind'] }
    >(
      `select nspname as schema, relname as name, ${KIND} as kind,
         case when relkind in ('r', 'm') then reltuples::bigint else -1 end as rows,
         case when relkind in ('r', 'm') and not ${LOCKED} then pg_total_relation_size(pg_class.oid) else 0 end
           as size,
         to_json(array(select attname from pg_attribute
           where attrelid = pg_class.oid and attnum > 0 and not attisdropped order by attnum)) as columns
       from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where ${KINDS} and not relispartition and nspname not in ('pg_catalog', 'information_schema')
         and nspname not like 'pg\\_toast%' and nspname not like 'pg\\_temp%'
       order by nspname, relname
       limit ${MOST_TABLES}`,
    );
    return rows.map(({ rows: estimate, size, columns, ...table }) => ({
      ...table,
      rows: Number(estimate) < 0 ? null : Number(estimate),
      size: Number(size),
      columns: JSON.parse(columns) as string[],
    }));
  });
}

interface CatalogRow {
  oid: string;
  kind: TableStructure['kind'];
}

/** A table as the catalog has it. Throws 404. */
async function findTable(client: pg.Client, { schema, table }: TableName): Promise<CatalogRow> {
  const { rows } = await client.query<CatalogRow>(
    `select pg_class.oid, ${KIND} as kind
     from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where ${KINDS} and nspname = $1 and relname = $2`,
    [schema, table],
  );
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

interface Column extends TableColumn {
  /** Without length and precision: a value that is compared with it is neither cut nor rounded. */
  comparedAs: string;
}

/** A table's structure, as its rows are asked for by it. */
export interface Structure extends TableStructure {
  columns: Column[];
}

/** What a table is made of. Throws 404. */
export async function readStructure(client: pg.Client, name: TableName): Promise<Structure> {
  const { oid, kind } = await findTable(client, name);
  const columns = await client.query<
    Record<'name' | 'type' | 'comparedAs' | 'nullable' | 'generated' | 'primary', string> & {
      default: string | null;
    }
  >(
    `select attname as name, format_type(atttypid, atttypmod) as type,
       format_type(atttypid, -1) as "comparedAs", not attnotnull as nullable,
       case when attgenerated = '' then pg_get_expr(adbin, adrelid) end as default,
       attgenerated <> '' or attidentity = 'a' as generated,
       coalesce(attnum = any (indkey), false) as primary
     from pg_attribute
     left join pg_attrdef on adrelid = attrelid and adnum = attnum
     left join pg_index on indrelid = attrelid and indisprimary
     where attrelid = $1 and attnum > 0 and not attisdropped
     order by attnum`,
    [oid],
  );
  const indexes = await client.query<{ name: string; definition: string }>(
    `select relname as name, pg_get_indexdef(indexrelid) as definition
     from pg_index join pg_class on pg_class.oid = indexrelid
     where indrelid = $1 order by relname`,
    [oid],
  );
  const constraints = await client.query<{ name: string; definition: string }>(
    `select conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where conrelid = $1 and contype <> 'n' order by contype, conname`,
    [oid],
  );
  return {
    kind,
    columns: columns.rows.map(({ nullable, generated, primary, ...column }) => ({
      ...column,
      nullable: nullable === 't',
      generated: generated === 't',
      primary: primary === 't',
    })),
    indexes: indexes.rows,
    constraints: constraints.rows,
  };
}

/** As `readStructure`, of a database of theirs. Throws as `look` does. */
export function describeTable(
  ctx: UserContext,
  parts: ContentsParts,
  name: TableName,
): Promise<TableStructure> {
  return look(ctx, parts, name.id, (client) => readStructure(client, name));
}
