import type { ReactNode } from 'react';
import type { SeriesLook } from './chart-styles.ts';

export interface ChartFrameProps {
  /** What is drawn, in a sentence. */
  label: string;
  /** The lines, where there may be more than one. */
  legend?: readonly (SeriesLook & { name: string })[];
  children: ReactNode;
}

/** A chart as one picture, with the names of its lines. */
export function ChartFrame({ label, legend = [], children }: ChartFrameProps) {
  return (
    <>
      <div role="img" aria-label={label}>
        {children}
      </div>
      {legend.length > 0 && (
        <ul aria-label="Lines" className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-muted text-sm">
          {legend.map(({ name, colour, dash }) => (
            <li key={name} className="flex items-center gap-2">
              <svg aria-hidden="true" viewBox="0 0 24 4" className="h-1 w-6">
                <line x1="0" x2="24" y1="2" y2="2" stroke={colour} strokeWidth="3" strokeDasharray={dash} />
              </svg>
              {name}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
