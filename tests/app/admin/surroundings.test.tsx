import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { DefinitionsContext, type Definitions } from '../../../src/app/data/DefinitionsContext';
import { useEvaluationContext } from '../../../src/app/data/useEvaluationContext';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { Source } from '../../../src/engine/language/source';

const things = (more: Partial<Source>) =>
  normalise({
    name: 'things',
    labels: { one: 'Thing', many: 'Things' },
    fields: { name: {}, due: { type: 'date', default: '$today', maxDate: '$today' } },
    ...more,
  });
const overdue = { due: { $lt: '$today' } };

beforeEach(() =>
  vi.useFakeTimers({ now: new Date('2026-11-16T10:00:30Z'), toFake: ['setTimeout', 'clearTimeout', 'Date'] }),
);

it.each<[string, Partial<Source>, number]>([
  ['nothing of the lists refers to it', {}, 0],
  ['a mark does', { list: { highlight: { where: overdue, tone: 'urgent', label: 'Late' } } }, 2],
  ['a rule on rows does', { rules: [{ levels: [4], action: 'edit', where: { due: { $gte: '$now' } } }] }, 2],
  ['a question does', { delete: { confirmations: [{ where: { $not: overdue }, confirm: 'Sure?' }] } }, 2],
])('the passing minute renders lists again where %s', (_, more, again) => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(['me'], { id: 7 });
  const definitions = { actor: { id: 7 }, registry: {} } as unknown as Definitions;
  const definition = things(more);
  let renders = 0;
  const { result, unmount } = renderHook(
    () => {
      renders += 1;
      return useEvaluationContext(definition);
    },
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <QueryClientProvider client={client}>
          <DefinitionsContext value={definitions}>{children}</DefinitionsContext>
        </QueryClientProvider>
      ),
    },
  );
  const first = renders;
  act(() => void vi.advanceTimersByTime(60_000));
  act(() => void vi.advanceTimersByTime(60_000));
  expect(renders - first).toBe(again);
  // A click handler still reads the current time.
  expect(result.current.now).toBe('2026-11-16T10:02:00.000Z');
  unmount();
});
