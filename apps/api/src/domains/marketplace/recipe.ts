import {
  type DnsRecord,
  databaseReference,
  NewContainerImage,
  NewDatabase,
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
import { type Claim, claimOf } from '../dns/ownership.ts';
import { createRecord } from '../dns/service.ts';
import { createMobileApp } from '../mobile-apps/service.ts';
import { createProject } from '../projects/service.ts';
import type { Step } from './catalogue/item.ts';
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

/** A step with what it needs of other servers, which is asked before there is a transaction. */
export type ReadyStep =
  | Exclude<Step, { kind: 'project' | 'dns' }>
  | (ProjectStep & { environment: readonly { name: string; value: string }[] })
  | (Extract<Step, { kind: 'dns' }> & { claim: Claim });

/** Makes a step's resource as the person would, in the transaction `ctx.db`. Throws what its domain refuses. */
export async function make(ctx: UserContext, parts: MarketplaceParts, step: ReadyStep): Promise<Made> {
  switch (step.kind) {
    case 'database': {
      const { id, name } = await createDatabase(ctx, parts.databases, NewDatabase.parse(step.input));
      return { entry: { kind: step.kind, id, name, holdsData: true }, url: '' };
    }
    case 'project': {
      const input = NewProject.parse({ ...step.input, variables: step.environment });
      const { id, name, url } = await createProject(ctx, parts.projects, input);
      return { entry: { kind: step.kind, id, name, holdsData: false }, url };
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

/** The variables of a project, the address of the recipe's database among them where it is asked for. */
function environmentOf(
  { variables = {}, databaseVariable }: ProjectStep,
  receipt: readonly ReceiptEntry[],
): { name: string; value: string }[] {
  const given = Object.entries(variables).flatMap(([name, value]) => (value === '' ? [] : [{ name, value }]));
  const database = receipt.find(({ kind }) => kind === 'database');
  if (databaseVariable === undefined || !database) return given;
  return [...given, { name: databaseVariable, value: databaseReference(database) }];
}
