import type { StoredFile } from '@nephos/contracts';
import { formatAgo, formatInstant, formatSize } from '../../lib/format.ts';
import { VisibilityIcon } from '../../lib/visibility.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { RowTitle } from '../../ui/row-title.tsx';
import { FileActions, FileIcon } from './file-card.tsx';
import { SelectBox } from './selection.tsx';

/** Everything that a file's card says and offers. */
export const FILE_COLUMNS: readonly Column<StoredFile>[] = [
  {
    heading: 'Name',
    card: 'title',
    cell: ({ id, fileName, filePath, fileSize, mimeType, uploadedAt }) => (
      <RowTitle
        icon={
          <>
            <SelectBox id={id} name={fileName} />
            <FileIcon mimeType={mimeType} />
          </>
        }
        title={fileName}
        detail={<span className="font-mono">{filePath}</span>}
        facts={`${formatSize(fileSize)} · ${formatAgo(uploadedAt)} · ${mimeType}`}
      >
        {fileName}
      </RowTitle>
    ),
  },
  {
    heading: 'Visibility',
    hideHeading: true,
    className: 'w-12 px-2!',
    card: 'aside',
    cell: ({ isPublic }) => <VisibilityIcon isPublic={isPublic} />,
  },
  {
    heading: 'Type',
    className: 'hidden w-44 @5xl/page:table-cell',
    card: 'none',
    cell: ({ mimeType }) => (
      <span title={mimeType} className="block truncate text-muted">
        {mimeType}
      </span>
    ),
  },
  {
    heading: 'Size',
    className: 'w-28 text-right',
    card: 'none',
    cell: ({ fileSize }) => <span className="whitespace-nowrap">{formatSize(fileSize)}</span>,
  },
  {
    heading: 'Uploaded',
    className: 'hidden w-36 @4xl/page:table-cell',
    card: 'none',
    cell: ({ uploadedAt }) => (
      <time dateTime={uploadedAt} title={formatInstant(uploadedAt)} className="whitespace-nowrap text-muted">
        {formatAgo(uploadedAt)}
      </time>
    ),
  },
  {
    heading: 'Actions',
    hideHeading: true,
    className: 'w-76 pl-0!',
    card: 'end',
    cell: (file) => <FileActions file={file} />,
  },
];
