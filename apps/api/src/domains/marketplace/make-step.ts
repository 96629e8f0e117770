import { randomBytes } from 'node:crypto';
import {
  DEFAULT_DISK_PATH,
  type DnsRecord,
  databaseReference,
  NewContainerImage,
  NewDatabase,
  NewDisk,
  NewDnsRecord,
  NewMobileApp,
  NewProject,
  type ReceiptEntry,
  wholeName,
} from '@nephos/contracts';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { registerImage } from '../containers/service.ts';
import { createDatabase } from '../databases/service.ts';
import type { DisksParts } from '../disks/disks.ts';
import { addDisk } from '../disks/service.ts';
import { type Claim, claimOf } from '../dns/ownership.ts';
import { createRecord } from '../dns/service.ts';
import { createMobileApp } from '../mobile-apps/service.ts';
import { createProject, type RecipeOrigin } from '../projects/service.ts';
import type { Recipe, Step } from './catalogue/item.ts';
import type { MarketplaceParts } from './marketplace.ts';

/** Characters of what a receipt calls a DNS record. */
const MAX_NAME = 80;

/** What a step has made. */
export interface Made {
  entry: ReceiptEntry;
  /** Where it can be opened; '' where it cannot. */
  url: string;
}

/** The rule of the input of a step's own domain. */
export function inputRule({ kind }: Step): z.ZodType {
  switch (kind) {
    case 'database':
      return NewDatabase;
    case 'project':
      return NewProject;
    case 'dns':
      return NewDnsRecord;
    case 'container':
      return NewContainerImage;
    case 'mobile-app':
      return NewMobileApp;
  }
}

type ProjectStep = Extract<Step, { kind: 'project' }>;

type Environment = NonNullable<NewProject['variables']>;

/** A step with what it needs of other servers, which is asked before there is a transaction. */
export type ReadyStep =
  | Exclude<Step, { kind: 'project' | 'dns' }>
  | (ProjectStep & { environment: Environment })
  | (Extract<Step, { kind: 'dns' }> & { claim: Claim });

/** Makes a step's resource as the person would, in the transaction `ctx.db`. Throws what its domain refuses. */
export async function make(ctx: UserContext, parts: MarketplaceParts, step: ReadyStep): Promise<Made> {
  switch (step.kind) {
    case 'database': {
      const { id, name } = await createDatabase(ctx, parts.databases, NewDatabase.parse(step.input));
      return { entry: { kind: step.kind, id, name, holdsData: true }, url: '' };
    }
    case 'project': {
      const { recipe, environment } = step;
      const input = NewProject.parse({ ...step.input, variables: environment });
      const { id, name, url } = await createProject(ctx, parts.projects, input, recipe && originOf(recipe));
      if (recipe) await addDisk(ctx, parts.disks, diskOf(recipe, id, parts.disks.engine));
      return { entry: { kind: step.kind, id, name, holdsData: recipe !== undefined }, url };
    }
    case 'dns': {
      const { id, ...record } = await createRecord(ctx, NewDnsRecord.parse(step.input), step.claim);
      return { entry: { kind: step.kind, id, name: nameOf(record), holdsData: false }, url: '' };
    }
    case 'container': {
      const { id, name, tag } = await registerImage(ctx, NewContainerImage.parse(step.input));
      return { entry: { kind: step.kind, id, name: `${name}:${tag}`, holdsData: true }, url: '' };
    }
    case 'mobile-app': {
      const { id, name } = await createMobileApp(ctx, parts.settings, NewMobileApp.parse(step.input));
      return { entry: { kind: step.kind, id, name, holdsData: false }, url: '' };
    }
  }
}

function originOf({ id, version, healthPath, addressVariable }: Recipe): RecipeOrigin {
  return { recipe: id, recipeVersion: version, healthPath, addressVariable };
}

/** What is below the app's own folder can be on every server; `NEPHOS_DATA` names it in any case. */
function diskOf({ disk: size }: Recipe, projectId: string, { whyNoDisk }: DisksParts['engine']) {
  const path = whyNoDisk(DEFAULT_DISK_PATH) === '' ? DEFAULT_DISK_PATH : 'data';
  return NewDisk.parse({ id: projectId, name: 'data', path, size });
}

function nameOf({ name, domain, recordType, value }: Omit<DnsRecord, 'id'>): string {
  const whole = `${wholeName(name, domain)} ${recordType} ${value}`;
  return whole.length > MAX_NAME ? `${whole.slice(0, MAX_NAME - 1)}…` : whole;
}

/** Asks what a step needs of other servers. Throws what these refuse. */
export async function readyStep(
  ctx: UserContext,
  parts: MarketplaceParts,
  step: Step,
  receipt: readonly ReceiptEntry[],
): Promise<ReadyStep> {
  switch (step.kind) {
    case 'project':
      return { ...step, environment: environmentOf(step, receipt) };
    case 'dns':
      return { ...step, claim: await claimOf(ctx, parts.dns, NewDnsRecord.parse(step.input).domain) };
    default:
      return step;
  }
}

/** The variables of a project, with the address of the item's database and with secrets that are made now. */
export function environmentOf(
  { variables = {}, databaseVariable, recipe }: ProjectStep,
  receipt: readonly ReceiptEntry[],
): Environment {
  const given = Object.entries(variables).flatMap(([name, value]) => (value === '' ? [] : [{ name, value }]));
  if (recipe) return [...given, ...newSecrets(recipe.secrets)].map((one) => ({ ...one, scope: 'run' }));
  const database = receipt.find(({ kind }) => kind === 'database');
  if (databaseVariable === undefined || !database) return given;
  return [...given, { name: databaseVariable, value: databaseReference(database) }];
}

const SECRET_BYTES = 32;

/** Variables with values that nobody can guess. */
function newSecrets(names: readonly string[]): { name: string; value: string }[] {
  return names.map((name) => ({ name, value: randomBytes(SECRET_BYTES).toString('base64url') }));
}
