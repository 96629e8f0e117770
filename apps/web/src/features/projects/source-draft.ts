import type { NewProject, Project } from '@nephos/contracts';
import type { FieldErrors } from '../../lib/errors.ts';
import type { Draft } from '../../lib/use-draft.ts';

export type Source = 'repository' | 'push' | 'image' | 'template' | 'app';
export type Template = NonNullable<NewProject['template']>;

/** What is typed of a project's source: what the other sources have stays while one is chosen. */
export interface SourceDraft extends Required<Pick<NewProject, 'repositoryUrl' | 'branch' | 'framework'>> {
  source: Source;
  image: string;
  imageUsername: string;
  imagePassword: string;
  repositoryUsername: string;
  repositoryToken: string;
  /** Whether the stored credentials of the source shall go. */
  dropsCredentials: boolean;
  template: Template;
  rootDirectory: string;
}

export const NO_SOURCE: Omit<SourceDraft, 'branch' | 'framework'> = {
  source: 'repository',
  repositoryUrl: '',
  image: '',
  imageUsername: '',
  imagePassword: '',
  repositoryUsername: '',
  repositoryToken: '',
  dropsCredentials: false,
  template: 'static-site',
  rootDirectory: '',
};

export function sourceDraftOf({
  repositoryUrl,
  pushed,
  image,
  template,
  recipe,
  branch,
  framework,
  settings,
}: Project): SourceDraft {
  return {
    ...NO_SOURCE,
    ...{ repositoryUrl, image, branch, framework },
    ...(template && { template }),
    source: sourceNow(),
    rootDirectory: settings.rootDirectory,
  };

  function sourceNow(): Source {
    if (image) return 'image';
    if (repositoryUrl) return 'repository';
    if (recipe) return 'app';
    // What has no other source waits for its first push.
    return template && !pushed ? 'template' : 'push';
  }
}

/** What is sent of it, but for a template or an app, which a project has from its beginning or not at all. */
export function sourceOf(draft: SourceDraft) {
  const { source, branch, framework } = draft;
  return {
    ...{ branch, framework },
    ...(source === 'repository' ? repositoryOf(draft) : { repositoryUrl: '' }),
    ...(source === 'image' ? imageOf(draft) : { image: '' }),
  };
}

/** Credentials that were not typed stay as they are. */
function repositoryOf({ repositoryUrl, repositoryUsername, repositoryToken, dropsCredentials }: SourceDraft) {
  if (repositoryUsername || repositoryToken) return { repositoryUrl, repositoryUsername, repositoryToken };
  return dropsCredentials
    ? { repositoryUrl, repositoryUsername: '', repositoryToken: '' }
    : { repositoryUrl };
}

/** The same of an image's. */
function imageOf({ image, imageUsername, imagePassword, dropsCredentials }: SourceDraft) {
  if (imageUsername || imagePassword) return { image, imageUsername, imagePassword };
  return dropsCredentials ? { image, imageUsername: '', imagePassword: '' } : { image };
}

export interface SourceFieldsProps {
  draft: Pick<Draft<SourceDraft>, 'values' | 'set'>;
  errors: FieldErrors;
  /** The project, once there is one. */
  project?: Project;
}
