import { rowActions } from '../../src/engine/lists/row-actions';
import { setsField, stateFieldOf } from '../../src/engine/lists/state-changes';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useEvaluationContext } from '../../src/app/data/useEvaluationContext';
import { StateMenu } from '../../src/app/record/StateMenu';
import type { OverviewRun } from './overviewApi';

interface RunStateProps {
  run: OverviewRun;
  /** How many of its tests were not run. */
  notRun: number;
}

/** The state of a run, with what leads on from it. */
export function RunState({ run, notRun }: RunStateProps) {
  const { registry, actor } = useDefinitions();
  const definition = registry.getOrThrow('test-runs');
  const evaluationContext = useEvaluationContext(definition);
  const field = stateFieldOf(definition, actor);
  if (!field) return null;
  const record = { ...run, not_run: notRun };
  const changes = rowActions(definition, record, actor, evaluationContext).filter((action) =>
    setsField(definition, field, action),
  );
  return <StateMenu {...{ definition, record, field, changes }} />;
}
