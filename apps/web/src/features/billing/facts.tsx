export interface Fact {
  term: string;
  value: string;
}

/** A few facts, side by side where there is room. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid gap-x-8 gap-y-3 sm:grid-cols-3">
      {facts.map(({ term, value }) => (
        <div key={term}>
          <dt className="text-muted text-sm">{term}</dt>
          <dd className="mt-0.5 font-semibold text-lg">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
