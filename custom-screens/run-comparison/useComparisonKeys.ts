import { useCommands } from '../../src/app/commands/commands';
import type { ComparedTest } from '../../src/product/answers/run-comparison';
import { causes, useSetCause } from './comparisonApi';
import { entryOf } from './ComparedTests';

interface KeyTargets {
  tests: readonly ComparedTest[];
  chosenId: number | undefined;
  choose: (entry: number) => void;
  mayExplain: boolean;
  createDefect: ((entry: number) => void) | undefined;
}

/** J and K move through the tests in their order; 1, 2 and 3 say why the chosen one failed, and D creates its defect. */
export function useComparisonKeys({ tests, chosenId, choose, mayExplain, createDefect }: KeyTargets): void {
  const setCause = useSetCause();
  const index = tests.findIndex((test) => entryOf(test) === chosenId);
  const move = (steps: number) => {
    const test = tests[Math.min(Math.max(index + steps, 0), tests.length - 1)];
    const id = test && entryOf(test);
    if (id !== undefined) choose(id);
  };
  const entry = mayExplain && tests[index]?.age ? tests[index].second?.id : undefined;
  useCommands(() => [
    { id: 'next test', label: 'Next test', keys: 'j', keysOnly: true, isRepeatable: true, run: () => move(1) },
    { id: 'previous test', label: 'Previous test', keys: 'k', keysOnly: true, isRepeatable: true, run: () => move(-1) },
    ...(entry === undefined
      ? []
      : causes.map(({ value, label }, position) => ({
          id: `cause ${value}`,
          label: `Cause: ${label}`,
          icon: 'flag',
          keys: String(position + 1),
          run: () => setCause.mutate({ entry, cause: value }),
        }))),
    ...(entry === undefined || !createDefect || tests[index]?.defect
      ? []
      : [{ id: 'create defect', label: 'Create defect', icon: 'bug', keys: 'd', run: () => createDefect(entry) }]),
  ]);
}
