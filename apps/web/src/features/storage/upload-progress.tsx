import { formatSize } from '../../lib/format.ts';
import { Progress } from '../../ui/progress.tsx';

export interface UploadProgressProps {
  /** Bytes that have left so far; a few more than `total` in the end, for the request's own. */
  sent: number;
  /** Bytes of the file. */
  total: number;
}

export function UploadProgress({ sent, total }: UploadProgressProps) {
  const done = Math.min(sent, total);
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  return (
    <div className="flex flex-col gap-1.5">
      <Progress label="Upload" value={done} max={total} />
      <p className="flex justify-between gap-4 text-muted text-sm">
        <span>{done < total ? 'Uploading…' : 'Storing…'}</span>
        <output>
          {percent}% · {formatSize(done)} of {formatSize(total)}
        </output>
      </p>
    </div>
  );
}
