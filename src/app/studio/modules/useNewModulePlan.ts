import { useEffect, useState } from 'react';
import type { Source } from '../../../engine/language/source';
import type { ModulePlan } from '../../../engine/studio/module';
import { planModule } from '../api';

const planDelay = 300;

/** The server's plan for a new definition, shortly after its last change; null before it arrives. */
export function useNewModulePlan(source: Source | null): ModulePlan | null {
  const text = source && JSON.stringify(source);
  const [answer, setAnswer] = useState<{ text: string; plan: ModulePlan } | null>(null);
  useEffect(() => {
    if (text === null) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const requestedSource = JSON.parse(text) as Source;
      // A failure is not shown here: creating the module will report it.
      planModule(requestedSource.name, requestedSource, { signal: stop.signal }).then(
        (plan) => setAnswer({ text, plan }),
        () => undefined,
      );
    }, planDelay);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text]);
  return text === null ? null : (answer?.plan ?? null);
}
