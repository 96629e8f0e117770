import type { ImageRepository } from '@nephos/contracts';
import { useId, useState } from 'react';
import { formatSize } from '../../lib/format.ts';
import { VisibilityIcon } from '../../lib/visibility.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { DeleteUntagged } from './delete-untagged.tsx';
import { UntaggedImages } from './untagged-images.tsx';

/** A repository by what it uses of the storage, and what of that can be freed. */
export function RepositoryCard({ repository }: { repository: ImageRepository }) {
  const { name, isPublic, tags, size, untagged } = repository;
  return (
    <Card>
      <CardHeader title={<span title={name}>{name}</span>} aside={<VisibilityIcon isPublic={isPublic} />} />
      <dl className="mt-3 grid grid-cols-2 gap-x-10 gap-y-3 text-sm sm:flex">
        <Fact label="Storage" value={formatSize(size)} />
        <Fact label="Tags" value={tags} />
        {untagged.images > 0 && (
          <>
            <Fact label="Untagged images" value={untagged.images} />
            <Fact label="Can be freed" value={formatSize(untagged.deletion.size)} />
          </>
        )}
      </dl>
      {untagged.images > 0 && <Untagged repository={repository} />}
    </Card>
  );
}

function Fact({ label, value }: { label: string; value: string | number }) {
  return (
    <div>
      <dt className="text-faint">{label}</dt>
      <dd className="mt-0.5">{value}</dd>
    </div>
  );
}

function Untagged({ repository }: { repository: ImageRepository }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button size="sm" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {open ? 'Hide untagged images' : 'Show untagged images'}
        </Button>
        {repository.untagged.deletion.manifests > 0 && <DeleteUntagged repository={repository} />}
      </div>
      <div id={id} className={open ? 'mt-4' : undefined}>
        {open && <UntaggedImages repository={repository} />}
      </div>
    </>
  );
}
