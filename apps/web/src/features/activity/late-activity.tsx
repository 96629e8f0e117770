import { lazy, useId, useState } from 'react';
import { LatePart } from '../../shell/late-part.tsx';
import { Button } from '../../ui/button.tsx';

const ThingActivity = lazy(() =>
  import('./thing-activity.tsx').then((part) => ({ default: part.ThingActivity })),
);

/** The activity of a thing at the end of its page: loaded when somebody asks for it. */
export function LateActivity({ id }: { id: string }) {
  const heading = useId();
  const [wanted, setWanted] = useState(false);
  return (
    <section aria-labelledby={heading} className="mt-10">
      <h2 id={heading} className="mb-3 font-semibold text-lg">
        Activity
      </h2>
      {wanted ? (
        <LatePart wanted onSaid={() => setWanted(false)}>
          <ThingActivity id={id} />
        </LatePart>
      ) : (
        <Button onClick={() => setWanted(true)}>Show activity</Button>
      )}
    </section>
  );
}
