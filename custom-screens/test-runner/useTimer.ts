import { useEffect, useReducer, useRef } from 'react';

interface Running {
  /** Milliseconds measured before. */
  spent: number;
  /** Since when it runs; null while it is paused. */
  since: number | null;
}

export interface Timer {
  readonly isPaused: boolean;
  /** Whole seconds that were spent on the current test. */
  readonly seconds: () => number;
  readonly toggle: () => void;
  readonly reset: () => void;
}

/** Measures the time that is spent on each test of a run while it is open. It stops while another one is open. */
export function useTimer(entry: number | undefined): Timer {
  const timers = useRef(new Map<number, Running>());
  const [, render] = useReducer((count: number) => count + 1, 0);
  const timerOf = (id: number): Running => {
    const known = timers.current.get(id) ?? { spent: 0, since: null };
    timers.current.set(id, known);
    return known;
  };
  useEffect(() => {
    if (entry === undefined) return;
    timerOf(entry).since = Date.now();
    render();
    return () => stop(timerOf(entry));
  }, [entry]);
  const current = () => (entry === undefined ? { spent: 0, since: null } : timerOf(entry));
  return {
    get isPaused() {
      return current().since === null;
    },
    seconds: () => {
      const { spent, since } = current();
      return Math.floor((spent + (since === null ? 0 : Date.now() - since)) / 1000);
    },
    toggle: () => {
      const timer = current();
      if (timer.since === null) timer.since = Date.now();
      else stop(timer);
      render();
    },
    reset: () => {
      const timer = current();
      timer.spent = 0;
      if (timer.since !== null) timer.since = Date.now();
      render();
    },
  };
}

function stop(timer: Running): void {
  if (timer.since !== null) timer.spent += Date.now() - timer.since;
  timer.since = null;
}

/** Renders the calling component again every second. */
export function useSeconds(): void {
  const [, render] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(render, 1000);
    return () => clearInterval(timer);
  }, []);
}
