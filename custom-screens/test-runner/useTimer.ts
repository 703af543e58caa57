import { useEffect, useReducer, useRef } from 'react';

interface Running {
  /** Milliseconds measured before. */
  spent: number;
  /** Since when it runs; null while it is paused. */
  startTime: number | null;
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
    const timer = timers.current.get(id) ?? { spent: 0, startTime: null };
    timers.current.set(id, timer);
    return timer;
  };
  useEffect(() => {
    if (entry === undefined) return;
    timerOf(entry).startTime = Date.now();
    render();
    return () => stop(timerOf(entry));
  }, [entry]);
  const current = () => (entry === undefined ? { spent: 0, startTime: null } : timerOf(entry));
  return {
    get isPaused() {
      return current().startTime === null;
    },
    seconds: () => {
      const { spent, startTime } = current();
      return Math.floor((spent + (startTime === null ? 0 : Date.now() - startTime)) / 1000);
    },
    toggle: () => {
      const timer = current();
      if (timer.startTime === null) timer.startTime = Date.now();
      else stop(timer);
      render();
    },
    reset: () => {
      const timer = current();
      timer.spent = 0;
      if (timer.startTime !== null) timer.startTime = Date.now();
      render();
    },
  };
}

function stop(timer: Running): void {
  if (timer.startTime !== null) timer.spent += Date.now() - timer.startTime;
  timer.startTime = null;
}

/** Renders the calling component again every second. */
export function useSeconds(): void {
  const [, render] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(render, 1000);
    return () => clearInterval(timer);
  }, []);
}
