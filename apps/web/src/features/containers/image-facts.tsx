import type { ContainerImage } from '@nephos/contracts';
import type { ReactNode } from 'react';
import { formatSize } from '../../lib/format.ts';
import { Card } from '../../ui/card.tsx';
import { Digest } from './digest.tsx';
import { PushedAt } from './pushed-at.tsx';
import { VisibilitySwitch } from './visibility-switch.tsx';

/** What is known of the tag at a glance. */
export function ImageFacts({ image }: { image: ContainerImage }) {
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
