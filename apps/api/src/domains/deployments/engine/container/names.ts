import { randomUUID } from 'node:crypto';
import type { DeployedApp, ProcessOrigin } from '../engine.ts';

/** Names and labels of what we make of Docker: by the labels it is found again, and told from everybody else's. */

export const LABELS = {
  instance: 'app.nephos.instance',
  project: 'app.nephos.project',
  deployment: 'app.nephos.deployment',
  process: 'app.nephos.process',
  number: 'app.nephos.number',
  /** Of what a builder consists of: the project that it builds, or '' of one that is tried out. */
  builder: 'app.nephos.builder',
  /** Of a volume: the disk that it is a backup of. */
  backupOf: 'app.nephos.backup-of',
  /** Of what tells the figures of other machines: the installation that it does so for. */
  agentOf: 'app.nephos.agent-of',
  agentVersion: 'app.nephos.agent-version',
} as const;

/** The process that commands and terminals are listed as. */
export const BESIDE = 'run';

/** Labels of whatever belongs to a project of this installation. */
export function projectLabels(instance: string, projectId: string): Record<string, string> {
  return { [LABELS.instance]: instance, [LABELS.project]: projectId };
}

/** The end of an id: UUIDs of one hour begin alike (RFC 9562 §5.7). */
function shortOf(id: string): string {
  return id.replaceAll('-', '').slice(-12);
}

/** One name per instance of a deployment, so that there cannot be two of it. */
export function containerName(app: DeployedApp, { process, instance }: ProcessOrigin): string {
  return `nephos-${app.slug}-${process}-${instance}-${shortOf(app.deploymentId)}`;
}

export function besideName(app: DeployedApp): string {
  return `nephos-${app.slug}-${BESIDE}-${shortOf(randomUUID())}`;
}

export function networkName(projectId: string): string {
  return `nephos-${shortOf(projectId)}`;
}

/** Of what a project is built in: its container, its network, and the volume of its cache. */
export function builderName(projectId: string): string {
  return `nephos-build-${shortOf(projectId)}`;
}

export function builderLabels(instance: string, projectId: string): Record<string, string> {
  return { ...projectLabels(instance, projectId), [LABELS.builder]: projectId };
}

export function volumeName(diskId: string): string {
  return `nephos-${diskId}`;
}

/** Of the service that tells the figures of other machines, and of what it is given. */
export function figuresName(instance: string): string {
  return `nephos-figures-${shortOf(instance)}`;
}

/** There is one backup of a disk at most. */
export function backupVolumeName(diskId: string): string {
  return `${volumeName(diskId)}-backup`;
}

/** The disk that a volume of this name is a backup of. */
export function backedUpDisk(volume: string): string | undefined {
  return /^nephos-(.+)-backup$/.exec(volume)?.[1];
}

/** Has no files: containers of it show a volume and are never started. */
export const EMPTY_IMAGE = { repo: 'nephos/empty', tag: 'latest' };

/** Keeps an image on this machine for as long as its release: `repository` and `tag`. */
export function keptImage(projectId: string, release: string): { repo: string; tag: string } {
  return { repo: `nephos/${projectId}`, tag: release };
}
