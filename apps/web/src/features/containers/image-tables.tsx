import type { ContainerImageDetail } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatSize } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { DataList } from '../../ui/data-list.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { Digest, PushedAt } from './image-cells.tsx';

type TagRow = ContainerImageDetail['tags'][number] & { isShown: boolean };
type Platform = ContainerImageDetail['platforms'][number];
type LayerRow = Platform['layers'][number] & { id: string; position: number };
type ReferrerRow = ContainerImageDetail['referrers'][number] & { id: string };

/** A column of sizes. */
function sized<Row extends { size: number }>(): Column<Row> {
  return {
    heading: 'Size',
    className: 'text-right',
    cell: ({ size }) => <span className="whitespace-nowrap">{formatSize(size)}</span>,
  };
}

const TAG_COLUMNS: readonly Column<TagRow>[] = [
  {
    heading: 'Tag',
    card: 'title',
    cell: (row) => (
      <>
        <span className="flex items-center gap-2 wrap-anywhere font-medium">
          {row.isShown ? <span>{row.tag}</span> : <TagLink {...row} />}
          {row.isShown && <Badge>This tag</Badge>}
        </span>
        {row.keptBecause && <p className="text-muted text-sm">{row.keptBecause}</p>}
      </>
    ),
  },
  { heading: 'Digest', cell: ({ digest, tag }) => (digest ? <Digest digest={digest} of={tag} /> : '–') },
  sized(),
  { heading: 'Pulls', className: 'text-right', cell: ({ pullCount }) => pullCount },
  {
    heading: 'Pushed',
    cell: ({ pushedAt }) => (
      <span className="text-muted">
        <PushedAt at={pushedAt} />
      </span>
    ),
  },
];

function TagLink({ id, tag }: TagRow) {
  return (
    <Link
      to="/containers/$imageId"
      params={{ imageId: id }}
      className="rounded-sm underline-offset-4 hover:underline"
    >
      {tag}
    </Link>
  );
}

/** All tags of the image's repository. */
export function TagTable({ image: { id: shown, tags } }: { image: ContainerImageDetail }) {
  const rows = tags.map((tag) => ({ ...tag, isShown: tag.id === shown }));
  return (
    <Section title="Tags">
      <DataList label="Tags" columns={TAG_COLUMNS} rows={rows} />
    </Section>
  );
}

/** A platform as clients name it: `linux/arm64/v8`. */
function platformName({ os, architecture, variant }: Platform): string {
  return [os, architecture, variant].filter(Boolean).join('/') || 'Any platform';
}

/** What the tag stands for on each platform, layer by layer. */
export function PlatformList({ platforms }: { platforms: readonly Platform[] }) {
  return (
    <Section title="Platforms">
      {platforms.length === 0 ? (
        <p className="text-muted">This artifact doesn't contain an image.</p>
      ) : (
        <ul aria-label="Platforms" className="flex flex-col gap-6">
          {platforms.map((platform) => (
            <li key={platform.digest}>
              <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-1">
                <Badge>{platformName(platform)}</Badge>
                <Digest digest={platform.digest} of={platformName(platform)} />
                <span className="text-muted text-sm">{formatSize(platform.size)}</span>
              </div>
              <LayerTable platform={platform} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const LAYER_COLUMNS: readonly Column<LayerRow>[] = [
  {
    heading: '#',
    className: 'w-12 text-right',
    cell: ({ position }) => <span className="text-faint">{position}</span>,
  },
  {
    heading: 'Digest',
    cell: ({ digest, position }) => <Digest digest={digest} of={`layer ${position}`} />,
  },
  {
    heading: 'Media type',
    cell: ({ mediaType }) => <span className="whitespace-nowrap text-muted text-sm">{mediaType}</span>,
  },
  sized(),
];

/** Layers from the bottom up. */
function LayerTable({ platform }: { platform: Platform }) {
  // An image may have the same layer twice.
  const rows = platform.layers.map((layer, index) => ({ ...layer, id: `${index}`, position: index + 1 }));
  return (
    <DataList
      label={`Layers of ${platformName(platform)}`}
      columns={LAYER_COLUMNS}
      rows={rows}
      alwaysTable
      empty={<p className="text-muted text-sm">No layers.</p>}
    />
  );
}

function referrerType({ artifactType, mediaType }: ReferrerRow): string {
  return artifactType || mediaType;
}

const REFERRER_COLUMNS: readonly Column<ReferrerRow>[] = [
  { heading: 'Type', cell: referrerType },
  { heading: 'Digest', cell: (row) => <Digest digest={row.digest} of={referrerType(row)} /> },
  sized(),
];

/** Signatures, attestations and other artifacts about this image. */
export function ReferrerTable({ referrers }: Pick<ContainerImageDetail, 'referrers'>) {
  return (
    <Section title="Referrers">
      <DataList
        label="Referrers"
        columns={REFERRER_COLUMNS}
        rows={referrers.map((referrer) => ({ ...referrer, id: referrer.digest }))}
        alwaysTable
        empty={
          <p className="text-muted">No signatures, attestations or other artifacts refer to this image.</p>
        }
      />
    </Section>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-3 font-semibold text-lg">{title}</h2>
      {children}
    </section>
  );
}
