import { useEffect, useState } from 'react';
import { endScriptRecording } from '../session/prefetch';

/** The most milliseconds to wait for the records of a list. */
const longestWait = 4_000;

/** A list has shown its records: the code of what stands around them is loaded, or loading. */
let hasSettled = false;

const whenIdle = (run: () => void): (() => void) => {
  // Other browsers load it at once.
  if (typeof requestIdleCallback !== 'function') {
    run();
    return () => {};
  }
  const callback = requestIdleCallback(run, { timeout: 1_000 });
  return () => cancelIdleCallback(callback);
};

/**
 * Whether what stands around the records of a list may load its code: once the first list of the application shows its
 * records and the browser is idle, so that nothing delays them.
 *
 * @example useSettled(data !== undefined) && <QuickAdd />
 */
export function useSettled(isShown: boolean): boolean {
  const [isSettled, setSettled] = useState(hasSettled);
  useEffect(() => {
    if (isSettled) return;
    const settle = () => {
      hasSettled = true;
      endScriptRecording();
      setSettled(true);
    };
    if (isShown) return whenIdle(settle);
    const timer = setTimeout(settle, longestWait);
    return () => clearTimeout(timer);
  }, [isSettled, isShown]);
  return isSettled;
}
