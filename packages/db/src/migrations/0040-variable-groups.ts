import { type Kysely, sql } from 'kysely';

/** Who is given a variable, what it refers to, and groups of variables that projects share. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table project_variables
    add column scope text not null default 'all' check (scope in ('all', 'build', 'run')),
    add column refers_to text[] not null default '{}',
    add column is_reference boolean not null default false`.execute(db);
  await sql`
    alter table deployments
    add column variable_scopes jsonb not null default '{}' check (jsonb_typeof(variable_scopes) = 'object'),
    add column resolved_variables jsonb check (jsonb_typeof(resolved_variables) = 'object'),
    drop constraint deployments_step_check,
    add constraint deployments_step_check check (step ~ '^[a-z]+$')`.execute(db);

  await sql`
    create table variable_groups (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      name text not null,
      created_at timestamptz(3) not null default now(),
      unique (owner_id, name)
    )`.execute(db);
  await sql`
    create table group_variables (
      group_id uuid not null references variable_groups on delete cascade,
      name text not null,
      value bytea not null,
      scope text not null default 'all' check (scope in ('all', 'build', 'run')),
      refers_to text[] not null default '{}',
      is_reference boolean not null default false,
      updated_at timestamptz(3) not null default now(),
      primary key (group_id, name)
    )`.execute(db);
  await sql`
    create table project_variable_groups (
      project_id uuid not null references projects on delete cascade,
      group_id uuid not null references variable_groups on delete cascade,
      position bigint generated always as identity,
      primary key (project_id, group_id)
    )`.execute(db);
  await sql`create index projects_of_variable_group on project_variable_groups (group_id)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table project_variable_groups, group_variables, variable_groups`.execute(db);
  await sql`
    alter table deployments drop column resolved_variables, drop column variable_scopes`.execute(db);
  await sql`
    alter table project_variables
    drop column is_reference, drop column refers_to, drop column scope`.execute(db);
}
