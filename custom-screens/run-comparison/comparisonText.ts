import type { ComparedRun, ComparedTest } from '../../src/product/answers/run-comparison';
import { resultLabels, type Result } from '../test-runner/runnerApi';
import { describeAge } from './ComparedTests';
import { causes } from './comparisonApi';

/** The differences of two runs as lines of text, for a message. */
export function comparisonText(runs: readonly ComparedRun[], tests: readonly ComparedTest[]): string {
  const [first, second] = runs.map(({ key, name }) => [key, name].filter(Boolean).join(' '));
  const wordOf = (result: ComparedTest['first']) => (result ? resultLabels[result.result as Result] : 'not in the run');
  const lines = tests.map((test) => {
    const cause = causes.find(({ value }) => value === test.cause)?.label;
    const facts = [describeAge(test), cause, test.defect?.name, test.note?.text].filter(Boolean);
    const title = [test.key, test.name, test.configuration && `(${test.configuration})`].filter(Boolean).join(' ');
    return [`${title}: ${wordOf(test.first)} → ${wordOf(test.second)}`, ...facts].join(', ');
  });
  return [`${first} compared with ${second}`, ...lines].join('\n');
}
