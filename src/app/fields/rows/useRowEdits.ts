import { useLayoutEffect, useRef, useState } from 'react';
import type { ResourceRecord } from '../../../engine/definitions/definition';

type Rows = readonly ResourceRecord[];

/** Steps that can be undone. */
const maxSteps = 100;

interface Steps {
  readonly pastRows: readonly Rows[];
  readonly future: readonly Rows[];
  /** The place that the last step changed. */
  readonly stepKey?: string;
}

/**
 * Changes of rows that can be undone and redone. Changes with the same `stepKey`, such as the letters typed into one
 * cell, are one step.
 */
export function useRowEdits(rows: Rows, onChange: (rows: Rows) => void) {
  const steps = useRef<Steps>({ pastRows: [], future: [] });
  const current = useRef(rows);
  useLayoutEffect(() => {
    current.current = rows;
  }, [rows]);
  // The number of steps is shown, while the steps themselves are only needed when they are taken.
  const [depth, setDepth] = useState({ past: 0, future: 0 });
  const show = (next: Rows, nextSteps: Steps) => {
    steps.current = nextSteps;
    setDepth({ past: nextSteps.pastRows.length, future: nextSteps.future.length });
    current.current = next;
    onChange(next);
  };
  return {
    canUndo: depth.past > 0,
    canRedo: depth.future > 0,
    /** The rows, also for callbacks created before they changed. */
    current: () => current.current,
    edit: (next: Rows, stepKey?: string) => {
      const { pastRows, stepKey: previousKey } = steps.current;
      if (next === current.current) return;
      const isSameStep = stepKey !== undefined && stepKey === previousKey && pastRows.length > 0;
      const history = isSameStep ? pastRows : [...pastRows, current.current].slice(-maxSteps);
      show(next, { pastRows: history, future: [], ...(stepKey !== undefined && { stepKey }) });
    },
    undo: () => {
      const { pastRows, future } = steps.current;
      const previousRows = pastRows.at(-1);
      if (previousRows) show(previousRows, { pastRows: pastRows.slice(0, -1), future: [current.current, ...future] });
    },
    redo: () => {
      const { pastRows, future } = steps.current;
      const [next, ...rest] = future;
      if (next) show(next, { pastRows: [...pastRows, current.current], future: rest });
    },
  };
}
