import type { Project } from '@nephos/contracts';
import { readSshAddress, shortDigest, shortImage, versionedName } from '@nephos/contracts/constants';
import { Link } from '@tanstack/react-router';
import { Container, ExternalLink, FolderGit2, GitBranch, Settings, Store, TriangleAlert } from 'lucide-react';
import { AppLink } from '../../lib/app-link.tsx';
import { DeploymentStatusBadge, remarkOn, STILL_RUNNING } from '../../lib/deployment-status.tsx';
import { formatAgo } from '../../lib/format.ts';
import { ImageTitle } from '../../lib/image-title.tsx';
import { Badge } from '../../ui/badge.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { Card, CardHeader } from '../../ui/card.tsx';
import { CardActivity } from './card-activity.tsx';

/** The app of the marketplace that a project is, unless it is deployed from elsewhere by now. */
export function appOf({ recipe, repositoryUrl, image }: Project): Project['recipe'] {
  return repositoryUrl || image ? null : recipe;
}

/** What a project is made from, as it is shown: the image with what runs of it, the app, or the branch. */
export function sourceLabel(project: Project): string {
  const { image, imageDigest, branch } = project;
  const app = appOf(project);
  if (app) return versionedName(app);
  if (!image) return branch || 'Default branch';
  return imageDigest ? `${shortImage(image)} · ${shortDigest(imageDigest)}` : shortImage(image);
}

/** What it is written in, as far as that matters. */
export function kindLabel({ image, framework }: Project): string {
  return image ? 'image' : framework;
}

/** The same in one line, with its icon. */
export function SourceLabel({ project }: { project: Project }) {
  const { image, imageDigest } = project;
  const Icon = image ? Container : appOf(project) ? Store : GitBranch;
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 text-muted text-sm">
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      {image ? <ImageTitle image={image} /> : <span className="truncate">{sourceLabel(project)}</span>}
      {image && imageDigest && (
        <span className="shrink-0 font-mono text-faint">{shortDigest(imageDigest)}</span>
      )}
    </span>
  );
}

/** Whether it is still made from the template that it began with. */
export function isOfTemplate({ template, repositoryUrl, pushed, image }: Project): boolean {
  return template !== null && !repositoryUrl && !pushed && !image;
}

/** A project in the list: the state of its app, what it is, and the way in. */
export function ProjectCard({ project }: { project: Project }) {
  const remark = remarkOn(project.state, project.latestDeployment);
  return (
    <Card className="flex h-full min-h-56 flex-col">
      <CardHeader
        title={
          <Link
            to="/projects/$projectId"
            params={{ projectId: project.id }}
            className="rounded-sm underline-offset-4 hover:underline"
          >
            {project.name}
          </Link>
        }
        description={<span className="line-clamp-2">{project.description || 'No description'}</span>}
        aside={<DeploymentStatusBadge status={project.state} />}
      />
      {remark && (
        <div className="mt-2">
          <Remark>{remark}</Remark>
        </div>
      )}
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <Badge className="h-5! px-2!">Active</Badge>
        <Badge className="h-5! px-2!">{kindLabel(project)}</Badge>
        {isOfTemplate(project) && <Badge className="h-5! px-2!">Template</Badge>}
        <SourceLabel project={project} />
      </div>
      {project.latestDeployment && (
        <p className="mt-2 text-faint text-sm">
          Last deployed {formatAgo(project.latestDeployment.createdAt)}
        </p>
      )}
      {project.liveDeploymentId && <AppLink url={project.url} className="mt-3 self-start" />}
      <CardActivity projectId={project.id} />
      <div className="mt-auto flex flex-wrap gap-2 pt-5">
        <Repository project={project} />
      </div>
    </Card>
  );
}

/** What the state of the app does not say. */
export function Remark({ children }: { children: string }) {
  return (
    <p className="flex items-start gap-1.5 text-muted text-sm">
      {children === STILL_RUNNING && (
        <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
      )}
      {children}
    </p>
  );
}

/** The way to the repository, or to where it, or an image, is set. */
export function Repository({ project }: { project: Project }) {
  const { id, repositoryUrl, pushed, image } = project;
  const app = appOf(project);
  if (app) {
    return (
      <Link to="/marketplace" search={{ tab: 'installed' }} className={buttonStyles({ size: 'sm' })}>
        <Store aria-hidden="true" />
        Marketplace
      </Link>
    );
  }
  const isBySsh = readSshAddress(repositoryUrl) !== undefined;
  if (repositoryUrl && !isBySsh) {
    return (
      <a
        href={repositoryUrl}
        target="_blank"
        rel="noopener noreferrer"
        className={buttonStyles({ size: 'sm' })}
      >
        <FolderGit2 aria-hidden="true" />
        View Repository
        <ExternalLink aria-hidden="true" className="text-faint" />
      </a>
    );
  }
  const changes = isBySsh || pushed ? 'Change repository' : 'Add a repository';
  return (
    <Link
      to="/projects/$projectId/settings"
      params={{ projectId: id }}
      className={buttonStyles({ size: 'sm' })}
    >
      <Settings aria-hidden="true" />
      {image ? 'Change image' : changes}
    </Link>
  );
}
