import type { ContainerImage, ContainerImageDetail } from '@nephos/contracts';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { lazy, type ReactNode } from 'react';
import { statusOf } from '../../lib/errors.ts';
import { formatSize } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { VisibilityIcon } from '../../lib/visibility.tsx';
import { AssistantButton } from '../../shell/assistant-button.tsx';
import { BackLink } from '../../shell/back-link.tsx';
import { LatePart } from '../../shell/late-part.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useWindowTitle } from '../../ui/use-window-title.ts';
import { whatGoes } from './freed.ts';
import { Digest, keptProps, PushedAt } from './image-cells.tsx';
import { PlatformList, ReferrerTable, TagTable } from './image-tables.tsx';
import { PullInstructions } from './pull-instructions.tsx';
import { referenceOf } from './registry-commands.ts';
import { UntaggedSection } from './untagged-images.tsx';
import { useImageChanges } from './use-image-changes.ts';

const RetentionSection = lazy(() =>
  import('./retention-section.tsx').then(({ RetentionSection }) => ({ default: RetentionSection })),
);

const route = getRouteApi('/_console/containers/$imageId');

/** Says why the tag cannot be deleted. */
const KEPT_NOTICE = 'kept-because';

export function ImagePage() {
  const { imageId } = route.useParams();
  const [image, { error }] = trpc.containers.get.useSuspenseQuery({ id: imageId });
  useImageChanges();
  const isGone = error !== null && statusOf(error) === 404;
  return (
    <>
      <BackLink to="/containers">Container Registry</BackLink>
      <ImageHeader image={image} />
      <div className="flex flex-col gap-8">
        {isGone && (
          <Notice tone="warning" title="This tag was deleted">
            These are its last known details.
          </Notice>
        )}
        {!image.pushedAt && (
          <Notice title="Nothing pushed to this tag yet">See Pull Instructions for the push commands.</Notice>
        )}
        {image.keptBecause && !isGone && (
          <div id={KEPT_NOTICE}>
            <Notice title={image.keptBecause} />
          </div>
        )}
        <ImageFacts image={image} />
        <TagTable image={image} />
        {!isGone && (
          <>
            <LatePart wanted={false}>
              <RetentionSection repositoryId={image.repositoryId} name={image.name} />
            </LatePart>
            <UntaggedSection repositoryId={image.repositoryId} />
          </>
        )}
        {image.pushedAt && (
          <>
            <PlatformList platforms={image.platforms} />
            <ReferrerTable referrers={image.referrers} />
          </>
        )}
      </div>
    </>
  );
}

function ImageHeader({ image }: { image: ContainerImageDetail }) {
  const title = `${image.name}:${image.tag}`;
  useWindowTitle(title);
  const [registry] = trpc.containers.registry.useSuspenseQuery();
  const reference = referenceOf({ registry, image });
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0 max-w-full">
        <h1 className="break-all font-semibold text-2xl tracking-tight">{title}</h1>
        <div className="mt-1 flex min-w-0 items-center gap-1">
          <code className="min-w-0 break-all text-muted text-sm">{reference}</code>
          <CopyButton value={reference} label="Copy the image reference" />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <DeleteTag image={image} />
        <AssistantButton scope="container" resourceId={image.id} />
        <PullInstructions image={image} size="md" />
      </div>
    </header>
  );
}

/** What is known of the tag at a glance. */
function ImageFacts({ image }: { image: ContainerImage }) {
  const { digest, size, pullCount, pushedAt } = image;
  return (
    <Card>
      <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2 @3xl/page:grid-cols-4">
        <Fact label="Digest">{digest ? <Digest digest={digest} of="the image" /> : 'None yet'}</Fact>
        <Fact label="Size">{formatSize(size)}</Fact>
        <Fact label="Pulls">{pullCount}</Fact>
        <Fact label="Pushed">
          <PushedAt at={pushedAt} />
        </Fact>
      </dl>
      <VisibilitySwitch image={image} />
    </Card>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-faint text-sm">{label}</dt>
      <dd className="mt-1 flex min-h-8 items-center">{children}</dd>
    </div>
  );
}

/** Who may pull; saved at once. */
function VisibilitySwitch({ image: { id, name, isPublic } }: { image: ContainerImage }) {
  const utils = trpc.useUtils();
  const change = useAction(trpc.containers.update.useMutation(), {
    success: isPublic ? 'Image made private' : 'Image made public',
    failure: 'Failed to update the image',
    serverSpeaks: true,
    refresh: [utils.containers.get, utils.containers.list],
  });
  return (
    <div className="mt-5 flex items-start gap-3 border-line border-t pt-4">
      <span className="pt-0.5">
        <VisibilityIcon isPublic={isPublic} />
      </span>
      <Field
        label="Public"
        hint={`Anyone can pull a public image without logging in. Applies to all tags of ${name}.`}
      >
        <Switch
          checked={isPublic}
          disabled={change.pending}
          onCheckedChange={(checked) => change.run({ id, isPublic: checked })}
        />
      </Field>
    </div>
  );
}

/** The way out of a tag, which asks for its name. */
function DeleteTag({ image }: { image: ContainerImageDetail }) {
  const { id, name, tag } = image;
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  const remove = useAction(trpc.containers.remove.useMutation(), {
    success: 'Tag deleted',
    failure: 'Failed to delete the tag',
    serverSpeaks: true,
    refresh: [utils.containers.list],
    // Once it is out of sight: its own page is gone, and those of other tags still list it.
    onDone: () => void navigate({ to: '/containers' }).then(() => utils.containers.get.reset()),
  });
  return (
    <DeleteDialog
      title="Delete tag?"
      description={`The image can no longer be pulled by this tag. ${whatGoes(image)}`}
      name={`${name}:${tag}`}
      label="Delete tag"
      action={remove}
      onConfirm={(close) => remove.run({ id }, close)}
      trigger={(open) => (
        <Button variant="ghost" {...keptProps(image.keptBecause, KEPT_NOTICE, open)}>
          <Trash2 aria-hidden="true" />
          Delete tag
        </Button>
      )}
    />
  );
}
