import { trpc } from '../../lib/trpc.ts';

/** What the name server last said about a record since the page was opened. Asks nothing itself, see `useAsk`. */
export function useAnswer(id: string) {
  return trpc.dns.answer.useQuery({ id }, { enabled: false });
}

/** Whether there is anything to show of a record's answer, be it only that it is awaited. */
export function useWasAsked(id: string): boolean {
  const { data, error, isFetching } = useAnswer(id);
  return isFetching || data !== undefined || error !== null;
}

export interface Ask {
  /** Asks the name server for a record; whoever shows its answer follows. */
  ask: (id: string) => void;
  /** Forgets the answer of one record, or of all. */
  forget: (id?: string) => void;
}

export function useAsk(): Ask {
  const { answer } = trpc.useUtils().dns;
  return {
    // A failure is part of what is shown: the query keeps it.
    ask: (id) => void answer.fetch({ id }, { staleTime: 0 }).catch(() => undefined),
    forget: (id) => void answer.reset(id === undefined ? undefined : { id }),
  };
}
