import {
  File,
  FileArchive,
  FileCode,
  FileImage,
  FileMusic,
  FileText,
  FileVideoCamera,
  type LucideIcon,
} from 'lucide-react';

const ICONS: [pattern: RegExp, icon: LucideIcon][] = [
  [/^image\//, FileImage],
  [/^audio\//, FileMusic],
  [/^video\//, FileVideoCamera],
  [/[/+](?:json|xml|javascript|html|css|yaml)$/, FileCode],
  [/^text\/|\/pdf$/, FileText],
  [/[/-](?:zip|gzip|tar|xz|zstd|bzip2?|compressed)$/, FileArchive],
];

/** Decoration that tells files apart by what is in them. */
export function FileIcon({ mimeType }: { mimeType: string }) {
  const Icon = ICONS.find(([pattern]) => pattern.test(mimeType))?.[1] ?? File;
  return (
    <span className="flex size-9 shrink-0 items-center justify-center rounded-lg border border-line bg-sunken text-muted">
      <Icon aria-hidden="true" className="size-4" />
    </span>
  );
}
