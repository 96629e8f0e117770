import { trpc } from '../../trpc.ts';

/** Who answers. */
export function ModelNote() {
  const { data } = trpc.assistant.model.useQuery();
  return (
    <p className="mt-2 min-h-5 text-faint text-sm">
      {data && (
        <>
          <span className="font-medium text-muted">{data.name}</span>{' '}
          {data.local
            ? '· answers by rules. OPENAI_API_KEY connects a model.'
            : '· can be wrong: check what matters.'}
        </>
      )}
    </p>
  );
}
