import { useEffect, useState } from 'react';
import type { Source } from '../../../engine/language/source';
import type { ModulePlan } from '../../../engine/studio/module';
import { planModule } from '../api';
import type { Draft } from '../draft';

/** Milliseconds without a change before the plan is requested. */
const planDelay = 250;
const emptyPlan: ModulePlan = { valid: true, errors: [], steps: [] };

interface PlanState {
  readonly request: PlanRequest;
  readonly plan: ModulePlan | null;
  readonly error: string | null;
  readonly valid: Draft['valid'];
  readonly validPlan: ModulePlan | null;
}

interface PlanRequest {
  readonly source: Source;
  readonly purge: readonly string[];
  /** The published version: another one changes the plan of the same draft. */
  readonly version: number;
}

/**
 * The server's plan of publishing the draft, requested shortly after the last change; an earlier request is aborted. Until
 * the response arrives, the previous plan stays.
 */
export function usePlan(name: string, request: PlanRequest, isUnchanged: boolean, publishedSource: Source) {
  const { source, purge, version } = request;
  const [planState, setPlanState] = useState<PlanState>(() => ({
    request: { source: publishedSource, purge: [], version },
    plan: null,
    error: null,
    valid: { source: publishedSource, time: Date.now() },
    validPlan: null,
  }));
  useEffect(() => {
    const question = { source, purge, version };
    const answer = (plan: ModulePlan) =>
      setPlanState((stateBefore) => ({
        request: question,
        plan,
        error: null,
        ...(plan.valid
          ? { valid: { source, time: Date.now() }, validPlan: plan }
          : { valid: stateBefore.valid, validPlan: stateBefore.validPlan }),
      }));
    if (isUnchanged) return answer(emptyPlan);
    const stop = new AbortController();
    const timer = setTimeout(() => {
      planModule(name, source, { purge, signal: stop.signal }).then(answer, (error: Error) => {
        if (!stop.signal.aborted)
          setPlanState((stateBefore) => ({ ...stateBefore, request: question, error: error.message }));
      });
    }, planDelay);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [name, source, purge, version, isUnchanged]);
  const { plan, error, valid, validPlan } = planState;
  const planning = planState.request.source !== source || planState.request.purge !== purge;
  return { plan, planError: error, valid, validPlan, planning };
}
