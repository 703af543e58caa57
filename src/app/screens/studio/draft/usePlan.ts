import { useEffect, useState } from 'react';
import type { Source } from '../../../../engine/definitions/source';
import type { ModulePlan } from '../../../../engine/studio/module';
import { planModule } from '../api';
import type { Draft } from '../draft';

/** Milliseconds without a change before the plan is requested. */
const planDelay = 250;
const emptyPlan: ModulePlan = { valid: true, errors: [], steps: [] };

interface PlanState {
  readonly asked: PlanRequest;
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
export function usePlan(name: string, asked: PlanRequest, untouched: boolean, published: Source) {
  const { source, purge, version } = asked;
  const [planned, setPlanned] = useState<PlanState>(() => ({
    asked: { source: published, purge: [], version },
    plan: null,
    error: null,
    valid: { source: published, at: Date.now() },
    validPlan: null,
  }));
  useEffect(() => {
    const question = { source, purge, version };
    const answer = (plan: ModulePlan) =>
      setPlanned((old) => ({
        asked: question,
        plan,
        error: null,
        ...(plan.valid
          ? { valid: { source, at: Date.now() }, validPlan: plan }
          : { valid: old.valid, validPlan: old.validPlan }),
      }));
    if (untouched) return answer(emptyPlan);
    const stop = new AbortController();
    const timer = setTimeout(() => {
      planModule(name, source, { purge, signal: stop.signal }).then(answer, (error: Error) => {
        if (!stop.signal.aborted) setPlanned((old) => ({ ...old, asked: question, error: error.message }));
      });
    }, planDelay);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [name, source, purge, version, untouched]);
  const { plan, error, valid, validPlan } = planned;
  const planning = planned.asked.source !== source || planned.asked.purge !== purge;
  return { plan, planError: error, valid, validPlan, planning };
}
