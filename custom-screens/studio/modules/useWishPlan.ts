import { useEffect, useState } from 'react';
import type { Source } from '../../../src/engine/definitions/source';
import type { ModulePlan } from '../../../src/engine/studio/module';
import { planModule } from '../calls';

const pause = 300;

/** What the server says of a definition that is yet to be published, a moment after its last change; null before. */
export function useWishPlan(source: Source | null): ModulePlan | null {
  const text = source && JSON.stringify(source);
  const [answer, setAnswer] = useState<{ text: string; plan: ModulePlan } | null>(null);
  useEffect(() => {
    if (text === null) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const asked = JSON.parse(text) as Source;
      // Without an answer nothing is said here: creating the module will tell.
      planModule(asked.name, asked, { signal: stop.signal }).then(
        (plan) => setAnswer({ text, plan }),
        () => undefined,
      );
    }, pause);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text]);
  return text === null ? null : (answer?.plan ?? null);
}
