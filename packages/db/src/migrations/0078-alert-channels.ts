import { type Kysely, sql } from 'kysely';

/** Where alerts are told. A trigger notifies `alert_delivery` of each message that is to be sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table alert_channels (
      id uuid primary key default uuid7(),
      owner_id uuid not null references workspaces on delete cascade,
      -- Whose mail it is, for as long as they are a member; null for what belongs to the workspace.
      user_id uuid,
      type text not null check (type in ('mail', 'slack', 'discord', 'teams', 'webhook')),
      name text not null,
      shown_address text not null,
      sealed_address bytea,
      sealed_secret bytea,
      kinds text[] not null,
      quiet_hours jsonb,
      enabled boolean not null default true,
      failing_since timestamptz(3),
      problem text not null default '',
      created_at timestamptz(3) not null default clock_timestamp(),
      foreign key (owner_id, user_id) references workspace_members (workspace_id, user_id) on delete cascade,
      check ((type = 'mail') = (user_id is not null)),
      check ((type = 'mail') = (sealed_address is null))
    )`.execute(db);
  await sql`create index alert_channels_of_owner on alert_channels (owner_id, id)`.execute(db);
  await sql`create unique index alert_channels_of_user on alert_channels (user_id, owner_id)`.execute(db);
  await sql`
    create table alert_deliveries (
      id uuid primary key default uuid7(),
      owner_id uuid not null references workspaces on delete cascade,
      channel_id uuid not null references alert_channels on delete cascade,
      event text not null check (event in ('raised', 'recovered', 'summary', 'test')),
      alert_ids uuid[] not null default '{}',
      title text not null,
      state text not null default 'waiting' check (state in ('waiting', 'held', 'delivered', 'failed')),
      tries integer not null default 0,
      due_at timestamptz(3) not null default clock_timestamp(),
      status integer,
      answer text not null default '',
      problem text not null default '',
      created_at timestamptz(3) not null default clock_timestamp(),
      tried_at timestamptz(3)
    )`.execute(db);
  await sql`create index alert_deliveries_of_channel on alert_deliveries (channel_id, id desc)`.execute(db);
  await sql`create index alert_deliveries_of_owner on alert_deliveries (owner_id)`.execute(db);
  await sql`create index alert_deliveries_by_age on alert_deliveries (created_at)`.execute(db);
  await sql`
    create index alert_deliveries_due on alert_deliveries (due_at) where state in ('waiting', 'held')`.execute(
    db,
  );
  await sql`
    create function tell_alert_delivery() returns trigger language plpgsql as $$
      begin
        perform pg_notify('alert_delivery', '');
        return null;
      end
    $$`.execute(db);
  await sql`
    create trigger alert_deliveries_told after insert on alert_deliveries
    for each row when (new.state = 'waiting') execute function tell_alert_delivery()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table alert_deliveries, alert_channels`.execute(db);
  await sql`drop function tell_alert_delivery()`.execute(db);
}
