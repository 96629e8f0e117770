import { trpc } from '../../trpc.ts';

/** Who answers. */
export function ModelNote() {
  const { data } = trpc.assistant.model.useQuery();
  return (
    <p className="min-h-10 shrink-0 px-4 pt-2 pb-3 text-faint text-sm">
      {data && (
        <>
          <span className="font-medium text-muted">{data.name}</span>{' '}
          {data.local
            ? '· answers by rules. Set OPENAI_API_KEY to connect a model.'
            : '· can be wrong: check what matters.'}
        </>
      )}
    </p>
  );
}
