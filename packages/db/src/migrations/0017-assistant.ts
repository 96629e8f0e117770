import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table assistant_sessions (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      resource_scope text not null check (resource_scope in ('database', 'container', 'kubernetes', 'general')),
      resource_id uuid,
      title text not null default '',
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index assistant_sessions_of_owner on assistant_sessions (owner_id, id desc)`.execute(db);
  await sql`
    create table assistant_messages (
      id uuid primary key default uuid7(),
      session_id uuid not null references assistant_sessions on delete cascade,
      sender text not null check (sender in ('user', 'assistant', 'tool')),
      content text not null,
      metadata jsonb not null default '{}',
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index assistant_messages_of_session on assistant_messages (session_id, id)`.execute(db);
  // A reply, and its pieces until some time after it has become messages. Of each person two can be written at once, of
  // each conversation one; the indexes are those rules.
  await sql`
    create table assistant_replies (
      id uuid primary key default uuid7(),
      session_id uuid not null references assistant_sessions on delete cascade,
      owner_id uuid not null references users on delete cascade,
      slot smallint not null check (slot between 1 and 2),
      status text not null default 'writing' check (status in ('writing', 'done')),
      stop_asked boolean not null default false,
      lease_until timestamptz(3) not null,
      heard_at timestamptz(3),
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`
    create unique index one_reply_of_session on assistant_replies (session_id) where status = 'writing'`.execute(
    db,
  );
  await sql`
    create unique index two_replies_of_owner on assistant_replies (owner_id, slot) where status = 'writing'`.execute(
    db,
  );
  await sql`create index assistant_replies_by_age on assistant_replies (created_at)`.execute(db);
  await sql`
    create table assistant_pieces (
      reply_id uuid not null references assistant_replies on delete cascade,
      seq integer not null,
      event jsonb not null,
      primary key (reply_id, seq)
    )`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table assistant_pieces, assistant_replies, assistant_messages, assistant_sessions`.execute(
    db,
  );
}
