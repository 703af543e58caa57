import { useEffect, useState } from 'react';
import { endScriptRecording } from '../session/prefetch';
import * as styles from '../states/states.module.css';

/** The most milliseconds to wait for the records of a list. */
const longestWait = 4_000;

/** A list has shown its records: the code of what stands around them is loaded, or loading. */
let hasSettled = false;

const whenIdle = (run: () => void): (() => void) => {
  // Other browsers cannot say when they are idle.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(run, 200);
    return () => clearTimeout(timer);
  }
  // Rows are known before they are drawn, and their code may be later than they are.
  const latest = performance.now() + longestWait;
  let [frame, callback] = [0, 0];
  const look = () => {
    const isDrawn = document.querySelector(`.${styles.skeletonRows}`) === null || performance.now() > latest;
    if (isDrawn) callback = requestIdleCallback(run, { timeout: 1_000 });
    else frame = requestAnimationFrame(look);
  };
  frame = requestAnimationFrame(look);
  return () => {
    cancelAnimationFrame(frame);
    cancelIdleCallback(callback);
  };
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
