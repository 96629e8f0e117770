import { type Kysely, sql } from 'kysely';

/** Whose a zone is, is looked at again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table dns_zones
      add column proof_failures integer not null default 0 check (proof_failures >= 0),
      add column proof_due_at timestamptz(3) not null default now(),
      add column unproven_since timestamptz(3)`.execute(db);
  await sql`create index dns_zones_proof_due on dns_zones (proof_due_at)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table dns_zones
      drop column proof_failures, drop column proof_due_at, drop column unproven_since`.execute(db);
}
