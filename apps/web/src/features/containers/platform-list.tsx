import type { ContainerImageDetail } from '@nephos/contracts';
import { formatSize } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Digest } from './digest.tsx';
import { LayerTable } from './layer-table.tsx';

type Platform = ContainerImageDetail['platforms'][number];

/** A platform as clients name it: `linux/arm64/v8`. */
function platformName({ os, architecture, variant }: Platform): string {
  return [os, architecture, variant].filter(Boolean).join('/') || 'Any platform';
}

/** What the tag stands for on each platform, layer by layer. */
export function PlatformList({ platforms }: { platforms: readonly Platform[] }) {
  return (
    <section>
      <h2 className="mb-3 font-semibold text-lg">Platforms</h2>
      {platforms.length === 0 ? (
        <p className="text-muted">This is an artifact without an image in it.</p>
      ) : (
        <ul aria-label="Platforms" className="flex flex-col gap-6">
          {platforms.map((platform) => (
            <li key={platform.digest}>
              <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-1">
                <Badge>{platformName(platform)}</Badge>
                <Digest digest={platform.digest} of={platformName(platform)} />
                <span className="text-muted text-sm">{formatSize(platform.size)}</span>
              </div>
              <LayerTable layers={platform.layers} label={`Layers of ${platformName(platform)}`} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
